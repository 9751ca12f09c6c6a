// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/elements/located_tensors.h"
#include "core/jobs/engine/engine_job.h"
#include "core/jobs/engine/output_runs.h"
#include "core/jobs/engine/staging.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn {

struct WriteState;

/// Fills the staged files from the plan's literals and the source's tensors: every byte once, in
/// parallel, with the checksums in the files' headers. Nothing is synced yet. Everything is
/// borrowed; `parts` are those of the plan's files, in order. `complete` marks files that are
/// finished and verified: nothing in them is touched. Not thread-safe.
class OutputWriter {
public:
    OutputWriter(const EngineJob& job, std::span<const FileParts> parts,
                 std::span<const StagedFile> files, const LocatedTensors* located = nullptr,
                 std::vector<bool> complete = {});
    OutputWriter(const OutputWriter&) = delete;
    OutputWriter& operator=(const OutputWriter&) = delete;
    ~OutputWriter();

    /// Restores runs that need not be written again. Fails: ChangedOnDisk if they do not match the
    /// plan.
    Result<void> restore(std::span<const RunRecord> records);

    /// Writes the part's share of the runs, except restored ones, and records each.
    Result<void> write(JobPart part, Journal& journal);

    /// Called once all runs of these files are written or restored: writes the data that needs all
    /// of a file's checksums.
    Result<void> complete(const std::vector<bool>& files);
    /// Completes all files, those without tensors last. Returns the checksums; those of files that
    /// were complete from the start are only those that were restored.
    Result<Checksums> finish();
    [[nodiscard]] const Checksums& checksums() const { return m_checksums; }

private:
    Checksums m_checksums;
    std::unique_ptr<WriteState> m_state;
    OutputRuns m_runs;
    std::vector<bool> m_done;     ///< parallel to m_runs.runs
    std::vector<bool> m_complete; ///< files
};

} // namespace cairn
