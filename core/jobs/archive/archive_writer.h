// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/archive/container.h"
#include "core/jobs/archive/pack_archive.h"
#include "core/jobs/context/ordered_hash.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

/// Internal to packArchive().
namespace cairn {

/// Packs and writes all chunks: workers take runs of chunks in row order, pack them, wait for their
/// turn to get an offset in the file, and write in parallel.
class ArchiveWriter {
public:
    ArchiveWriter(const Checkpoint& source, const PackOptions& wanted, archive::Index& index,
                  const FileHandle& file, FileOps& fileOps, JobContext& context);

    /// Writes chunks, values, index and foot; fills the index's chunks.
    Result<void> write(std::size_t threads);
    [[nodiscard]] std::uint64_t bytes() const { return m_end; }

private:
    class Worker;
    /// Consecutive chunks of one row; all chunks of a string tensor.
    struct Run {
        std::uint32_t row = 0;
        std::uint64_t first = 0; ///< offset in the tensor's elements, in bytes
        std::uint64_t bytes = 0;
    };
    void cutRuns();
    Result<void> writeEnd();
    Result<void> append(std::span<const std::byte> bytes);

    const Checkpoint& m_source;
    const PackOptions& m_wanted;
    archive::Index& m_index;
    const FileHandle& m_file;
    FileOps& m_fileOps;
    JobContext& m_context;
    std::vector<Run> m_runs;
    std::atomic<std::size_t> m_next{0};
    OrderedTurns m_turns;
    std::uint64_t m_end = 0; ///< end of the file; changed only in turns
};

} // namespace cairn
