// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/aligned_buffer.h"
#include "core/jobs/journal.h"
#include "core/jobs/segment_reader.h"
#include "core/jobs/write_pass.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// Internal to the write pass: see write_pass.cpp for the idea.
namespace cairn {

/// Whole segments of one file that follow one another.
struct Run {
    std::uint32_t file = 0;
    std::size_t firstPart = 0;
    std::size_t partCount = 0;
    std::uint64_t number = 0; ///< in the order of the files; see RunRecord
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t bytes() const { return end - begin; }
};

/// Blocks that two or more runs share, until all of their bytes are there. Safe from any thread.
class SeamStore {
public:
    struct Block {
        alignas(kBlock) std::array<std::byte, kBlock> bytes{};
        std::size_t filled = 0;
    };
    /// Adds bytes of the block at `blockOffset`; gives the block once `expected` bytes are in it.
    std::unique_ptr<Block> add(std::uint32_t file, std::uint64_t blockOffset, std::size_t at,
                               std::span<const std::byte> bytes, std::size_t expected);
    [[nodiscard]] bool empty() const;

private:
    mutable std::mutex m_mutex;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::unique_ptr<Block>> m_blocks;
};

/// What the workers share.
struct WriteState {
    WriteState(const CopyPlan& thePlan, std::span<const FileParts> theParts,
               std::span<const StagedFile> theFiles, FileOps& theFileOps, JobContext& theContext,
               const EngineOptions& theOptions, Checksums& theChecksums);

    /// After all runs of the files with tensors, then of those without: checksums that could not be
    /// filled in passing, and the files' exact sizes.
    Result<void> finish(bool index);

    const CopyPlan& plan;
    std::span<const FileParts> parts;
    std::span<const StagedFile> files;
    FileOps& fileOps;
    JobContext& context;
    const EngineOptions& options;
    Checksums& checksums; ///< each element is written by the one worker that has its run
    std::vector<std::unique_ptr<std::atomic<bool>[]>> known; ///< which of `checksums` may be read
    SeamStore seams;

    struct LatePatch {
        std::uint32_t file = 0;
        std::uint64_t offset = 0;
        std::uint32_t crc = 0;
    };
    void addPatch(LatePatch patch);

    /// A run that was written by an earlier process: its blocks and checksums are known again.
    /// Fails: ChangedOnDisk when the record does not fit the plan.
    Result<void> restore(const Run& run, const RunRecord& record);
    /// Bytes of a block that several runs share; writes it once all are there.
    Result<void> addFragment(std::uint32_t file, std::uint64_t block, std::size_t at,
                             std::span<const std::byte> bytes);
    /// Whole blocks, or the end of the file.
    Result<void> writeBlocks(std::uint32_t file, std::uint64_t offset,
                             std::span<const std::byte> bytes);

    Journal* journal = nullptr;              ///< null: runs are not written down
    const LocatedTensors* located = nullptr; ///< null: none is known

private:
    std::mutex m_mutex;
    std::vector<LatePatch> m_patches;
};

/// Takes runs one after another through one buffer, each by steps. One thread.
class RunWriter {
public:
    /// Both are borrowed. The buffer begins at a block boundary of memory; the scratch may be that
    /// of other writers of the same thread.
    RunWriter(WriteState& state, std::span<std::byte> buffer, SegmentReader::Scratch& scratch);

    /// The last element of what fits into a buffer may reach over its end.
    static constexpr std::size_t kSlack = 64;

    void begin(const Run& run);
    /// Fills the run up to the byte of the file at `until`, or to the end of the element, mostly of
    /// the row, that it is in. REQUIRES: not after the run's end; there, the run is written
    /// down.
    Result<void> fill(std::uint64_t until);

private:
    Result<void> addLiteral(const Part& part, std::uint64_t until);
    Result<void> addTensor(const Part& part, std::uint64_t until);
    void finishTensor(std::uint32_t tensor);
    Result<void> flush(bool last);
    Result<void> addSeam(std::uint64_t begin, std::uint64_t end);
    [[nodiscard]] std::size_t chunk() const { return m_buffer.size() - kSlack; }
    [[nodiscard]] const FileParts& parts() const { return m_state.parts[m_run.file]; }
    /// In the file, after what is in the buffer.
    [[nodiscard]] std::uint64_t position() const { return m_base + m_fill; }

    WriteState& m_state;
    std::span<std::byte> m_buffer;
    SegmentReader::Scratch* m_scratch;
    Run m_run;
    RunRecord m_record;
    std::size_t m_part = 0;                ///< of the file, that is being filled
    std::uint64_t m_partDone = 0;          ///< bytes of it
    std::optional<SegmentReader> m_reader; ///< of its elements, if any of them was read
    std::uint64_t m_base = 0;              ///< place of the buffer in the file; a block boundary
    std::size_t m_fill = 0; ///< bytes in the buffer, those before the run's begin counted
};

} // namespace cairn
