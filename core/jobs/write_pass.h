// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/engine.h"
#include "core/jobs/located_tensors.h"
#include "core/jobs/output_parts.h"
#include "core/jobs/staging.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn {

/// CRC-32 per output file, per tensor segment; 0 in files without checksum slots.
using Checksums = std::vector<std::vector<std::uint32_t>>;

struct Run;
struct WriteState;

/// Fills the staged files from the plan's literals and the source's tensors: every byte once, in
/// parallel, with the checksums that the files' headers ask for. Nothing is durable yet. Everything
/// is borrowed; `parts` are those of the plan's files, in order. One thread at a time.
class OutputWriter {
public:
    OutputWriter(const CopyPlan& plan, std::span<const FileParts> parts,
                 std::span<const StagedFile> files, FileOps& fileOps, JobContext& context,
                 const EngineOptions& options, const LocatedTensors* located = nullptr);
    OutputWriter(const OutputWriter&) = delete;
    OutputWriter& operator=(const OutputWriter&) = delete;
    ~OutputWriter();

    /// Runs that need not be written again. Fails: ChangedOnDisk when they do not fit the plan.
    Result<void> restore(std::span<const RunRecord> records);

    /// Writes the part's share of the runs, but for those that were restored, and writes each down.
    Result<void> write(JobPart part, Journal& journal);

    /// Once all runs are written or restored: what has to wait for all checksums.
    Result<Checksums> finish();

private:
    const EngineOptions& m_options;
    Checksums m_checksums;
    std::unique_ptr<WriteState> m_state;
    std::vector<Run> m_runs;  ///< in the order of the files
    std::vector<Run> m_late;  ///< ends of files that name checksums
    std::vector<Run> m_index; ///< files without tensors
    std::vector<bool> m_done; ///< of m_runs
};

} // namespace cairn
