// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/write_pass.h"

#include "core/jobs/crew.h"
#include "core/jobs/run_writer.h"

#include <algorithm>
#include <atomic>
#include <numeric>

/// Writing in parallel, checksums in order.
///
/// A CRC-32 goes through a tensor from front to back, so the unit of work is a run: some whole
/// segments that follow one another, at least kRunBytes together, or one large tensor. Workers take
/// runs, the largest first so that nobody is left alone with one at the end, and each goes through
/// its run with one buffer: read, sum, write, again. Several workers overlap one's reading with
/// another's writing; on two cores three of them keep the disk busy. The SHA-256 of tensors and
/// files is left to the second look (verify_pass.cpp), which waits for the device anyway.
///
/// O_DIRECT wants whole blocks, and runs begin and end anywhere. The block in which two runs meet
/// is a seam: both put their bytes into it, and who comes last writes it (SeamStore). The last
/// block of a file is written full and cut off.
///
/// A checksum slot stands in a header before the tensor whose checksum it holds. While the header
/// is still in the buffer, it is filled there; else four bytes are written afterwards. The last
/// literal of a file (a zip directory names every checksum) is a run of its own that waits for all
/// others. Limit: one tensor is one worker's: a checkpoint of a single tensor runs at one core's
/// speed.
namespace cairn {
namespace {

constexpr std::uint64_t kRunBytes = std::uint64_t{16} << 20U;

/// Cuts a file into runs; those that wait for checksums go into `late`.
void cutRuns(std::uint32_t fileIndex, const FileParts& parts, std::vector<Run>& runs,
             std::vector<Run>& late) {
    const auto all = parts.parts();
    const bool lastWaits = parts.checksummed() && !all.empty() && !all.back().tensor &&
                           !parts.slotsWithin(all.back().offset, all.back().end()).empty();
    const std::size_t count = all.size() - (lastWaits ? 1 : 0);
    for (std::size_t first = 0; first < count;) {
        std::size_t next = first;
        std::uint64_t bytes = 0;
        while (next < count && bytes < kRunBytes) {
            bytes += all[next++].length;
        }
        runs.push_back({fileIndex, first, next - first, all[first].offset, all[next - 1].end()});
        first = next;
    }
    if (lastWaits) {
        late.push_back({fileIndex, count, 1, all[count].offset, all[count].end()});
    }
}

Result<void> writeRuns(WriteState& state, std::span<const Run> runs) {
    std::atomic<std::size_t> next{0};
    const std::size_t threads =
        std::min(state.options.threads, std::max<std::size_t>(runs.size(), 1));
    return runCrew(threads, [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        RunWriter writer(state);
        for (std::size_t i = next++; i < runs.size() && !stop.load(); i = next++) {
            CAIRN_CHECK(writer.write(runs[i]));
        }
        return {};
    });
}

} // namespace

Result<Checksums> writeOutput(const CopyPlan& plan, std::span<const FileParts> parts,
                              std::span<const StagedFile> files, FileOps& fileOps,
                              JobContext& context, const EngineOptions& options) {
    Checksums checksums;
    std::vector<Run> runs;
    std::vector<Run> late;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        checksums.emplace_back(parts[i].file().tensors.size());
        cutRuns(static_cast<std::uint32_t>(i), parts[i], runs, late);
    }
    // Large ones first; the others in the order of the file, which is the order of the disk.
    std::ranges::stable_sort(runs, std::greater(), [](const Run& run) {
        return run.bytes() >= 4 * kRunBytes ? run.bytes() : 0;
    });
    WriteState state(plan, parts, files, fileOps, context, options, checksums);
    CAIRN_CHECK(writeRuns(state, runs));
    CAIRN_CHECK(writeRuns(state, late));
    CAIRN_CHECK(state.finish());
    return checksums;
}

} // namespace cairn
