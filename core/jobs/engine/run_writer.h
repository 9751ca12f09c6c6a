// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/context/aligned_buffer.h"
#include "core/jobs/elements/segment_reader.h"
#include "core/jobs/engine/journal.h"
#include "core/jobs/engine/output_runs.h"
#include "core/jobs/engine/write_pass.h"

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

/// Blocks that several runs share, until all of their bytes are available. Any thread.
class SeamStore {
public:
    struct Block {
        alignas(kBlock) std::array<std::byte, kBlock> bytes{};
        std::size_t filled = 0;
    };
    /// Adds bytes of the block at `blockOffset`; returns the block once it contains `expected`
    /// bytes.
    std::unique_ptr<Block> add(std::uint32_t file, std::uint64_t blockOffset, std::size_t at,
                               std::span<const std::byte> bytes, std::size_t expected);
    /// Whether a block of these files is not complete.
    [[nodiscard]] bool hasAny(const std::vector<bool>& files) const;

private:
    mutable std::mutex m_mutex;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::unique_ptr<Block>> m_blocks;
};

/// State shared by the workers.
struct WriteState {
    WriteState(const EngineJob& theJob, std::span<const FileParts> theParts,
               std::span<const StagedFile> theFiles, Checksums& theChecksums);

    /// Called after all runs of the selected files: writes checksums that could not be filled
    /// earlier, and sets the files' exact sizes. Nothing in other files is touched: other parts
    /// write into those that this part has written, too.
    Result<void> finish(const std::vector<bool>& selected);

    const EngineJob job;
    std::span<const FileParts> parts;
    std::span<const StagedFile> files;
    Checksums& checksums; ///< each element is written by the single worker with its run
    std::vector<std::unique_ptr<std::atomic<bool>[]>> known; ///< which of `checksums` may be read
    SeamStore seams;
    std::vector<std::vector<FilledSlot>> indexSlots; ///< by file; of fillIndexes()

    struct LatePatch {
        std::uint32_t file = 0;
        std::uint64_t offset = 0;
        std::uint32_t crc = 0;
    };
    void addPatch(LatePatch patch);

    /// Restores a run that an earlier process wrote: its blocks and checksums. Fails: ChangedOnDisk
    /// if the record does not match the plan.
    Result<void> restore(const Run& run, const RunRecord& record);
    /// The checksums only: the file is complete, but an index may need them.
    Result<void> restoreChecksums(const Run& run, const RunRecord& record);
    /// Computes the slots of the selected indexes. REQUIRES: all tensors of the files that they
    /// need are written or restored.
    void fillIndexes(const std::vector<bool>& selected);
    /// Adds bytes of a block that several runs share; writes it once it is complete.
    Result<void> addFragment(std::uint32_t file, std::uint64_t block, std::size_t at,
                             std::span<const std::byte> bytes);
    /// Writes complete blocks, or the end of the file.
    Result<void> writeBlocks(std::uint32_t file, std::uint64_t offset,
                             std::span<const std::byte> bytes);

    Journal* journal = nullptr;              ///< null: runs are not recorded
    const LocatedTensors* located = nullptr; ///< null: nothing is located yet

private:
    std::mutex m_mutex;
    std::vector<LatePatch> m_patches;
};

/// Processes runs one after another through one buffer, in steps. Not thread-safe.
class RunWriter {
public:
    /// Both are borrowed. The buffer begins at a block boundary of memory; the scratch may be
    /// shared with other writers of the same thread.
    RunWriter(WriteState& state, std::span<std::byte> buffer, SegmentReader::Scratch& scratch);

    /// The last element in a buffer may extend beyond its end by this.
    static constexpr std::size_t kSlack = 64;

    void begin(const Run& run);
    /// Fills the run up to file offset `until`, or to the end of the element (usually of the row)
    /// at that offset. REQUIRES: `until` is not beyond the run's end; at the end, the run is
    /// recorded.
    Result<void> fill(std::uint64_t until);

private:
    Result<void> addLiteral(const Part& part, std::uint64_t until);
    Result<void> addTensor(const Part& part, std::uint64_t until);
    void finishTensor(std::uint32_t tensor);
    enum class Flush : std::uint8_t { WholeBlocks, Everything };
    Result<void> flush(Flush what);
    Result<void> addSeam(std::uint64_t begin, std::uint64_t end);
    [[nodiscard]] std::size_t chunk() const { return m_buffer.size() - kSlack; }
    [[nodiscard]] const FileParts& parts() const { return m_state.parts[m_run.file]; }
    /// File offset after the buffer's content.
    [[nodiscard]] std::uint64_t position() const { return m_base + m_fill; }

    WriteState& m_state;
    std::span<std::byte> m_buffer;
    SegmentReader::Scratch* m_scratch;
    Run m_run;
    RunRecord m_record;
    std::size_t m_part = 0;                ///< the part of the file that is being filled
    std::uint64_t m_partDone = 0;          ///< bytes of it that are done
    std::optional<SegmentReader> m_reader; ///< for its elements, once one was read
    std::uint64_t m_base = 0;              ///< file offset of the buffer; a block boundary
    std::size_t m_fill = 0; ///< bytes in the buffer, including those before the run's start
};

} // namespace cairn
