// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/output_runs.h"

#include "core/jobs/engine/part_share.h"
#include "core/plan/engine_memory.h"

#include <algorithm>

namespace cairn {
namespace {

constexpr std::uint64_t kMostRuns = 4096; ///< approximate; a journal has a line for each
constexpr std::uint64_t kLargestRun = std::uint64_t{1} << 30U;

/// True if the part is a literal with a checksum of the tensor before it.
bool closesTensor(const FileParts& parts, std::size_t part) {
    const auto all = parts.parts();
    if (all[part].tensor || !all[part - 1].tensor) {
        return false;
    }
    return std::ranges::any_of(parts.slotsOf(all[part - 1].index), [&](const ChecksumSlot& slot) {
        return slot.offset >= all[part].offset && slot.offset < all[part].end();
    });
}

/// Splits a file into runs; those that wait for checksums are added to `late`.
void cutFile(std::uint32_t fileIndex, const FileParts& parts, std::uint64_t runBytes,
             std::vector<Run>& runs, std::vector<Run>& late) {
    const auto all = parts.parts();
    const bool lastWaits = parts.checksummed() && !all.empty() && !all.back().tensor &&
                           !parts.slotsWithin(all.back().offset, all.back().end()).empty();
    const std::size_t count = all.size() - (lastWaits ? 1 : 0);
    for (std::size_t first = 0; first < count;) {
        std::size_t next = first;
        std::uint64_t bytes = 0;
        while (next < count && bytes < runBytes &&
               (next == first || all[next].offset == all[next - 1].end())) {
            bytes += all[next++].length;
        }
        if (next < count && parts.checksummed() && closesTensor(parts, next)) {
            ++next;
        }
        runs.push_back({fileIndex, first, next - first, 0, all[first].offset, all[next - 1].end()});
        first = next;
    }
    if (lastWaits) {
        late.push_back({fileIndex, count, 1, 0, all[count].offset, all[count].end()});
    }
}

/// The minimum size of a run. A job in parts has enough runs that its parts are equal.
std::uint64_t leastRun(std::uint64_t total, std::size_t parts, std::uint64_t runBytes) {
    constexpr std::uint64_t kSmallest = 4096;
    constexpr std::uint64_t kRunsOfPart = 50;
    const bool whole = parts < 2;
    const std::uint64_t least =
        whole ? runBytes
              : std::clamp(total / (kRunsOfPart * parts), std::min(kSmallest, runBytes), runBytes);
    const std::uint64_t most = whole ? kMostRuns : std::max(kMostRuns, kRunsOfPart * parts);
    return std::clamp(total / most, least, std::max(least, kLargestRun));
}

/// The part that writes each run: the owner of its file, or else one of several.
std::vector<std::size_t> writersOf(const CopyPlan& plan, std::span<const Run> runs,
                                   std::size_t parts) {
    const PartShare shares(plan, parts);
    std::vector<std::size_t> writers;
    std::vector<std::uint64_t> divided;
    for (const Run& run : runs) {
        writers.push_back(shares.ownerOf(run.file));
        if (writers.back() == 0) {
            divided.push_back(run.bytes());
        }
    }
    const std::vector<std::size_t> others = shares.divide(divided);
    std::size_t next = 0;
    for (std::size_t& writer : writers) {
        writer = writer == 0 ? others[next++] : writer;
    }
    return writers;
}

} // namespace

OutputRuns cutRuns(const CopyPlan& plan, std::span<const FileParts> files, std::size_t parts,
                   std::uint64_t runBytes) {
    OutputRuns cut;
    const std::uint64_t least = leastRun(plan.outputBytes(), parts, runBytes);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const bool isIndex = files[i].file().tensors.empty();
        cutFile(static_cast<std::uint32_t>(i), files[i], least, isIndex ? cut.index : cut.runs,
                cut.late);
    }
    for (std::size_t i = 0; i < cut.runs.size(); ++i) {
        cut.runs[i].number = i;
    }
    cut.writers = writersOf(plan, cut.runs, parts);
    return cut;
}

std::vector<FileParts> filesToWrite(const CopyPlan& plan) {
    std::vector<FileParts> files;
    for (std::size_t i = 0; i < plan.layout.files.size(); ++i) {
        files.emplace_back(plan.layout.files[i], plan.sharedOf(i));
    }
    return files;
}

WrittenSegments segmentsOf(const OutputRuns& cut, std::span<const FileParts> files, JobPart part) {
    WrittenSegments segments;
    for (const FileParts& file : files) {
        segments.emplace_back(file.file().tensors.size(), false);
    }
    for (std::size_t i = 0; i < cut.runs.size(); ++i) {
        const Run& run = cut.runs[i];
        if (!cut.isOf(i, part)) {
            continue;
        }
        for (const Part& piece : files[run.file].parts().subspan(run.firstPart, run.partCount)) {
            if (piece.tensor) {
                segments[run.file][piece.index] = true;
            }
        }
    }
    return segments;
}

PartSizes partSizes(const CopyPlan& plan, std::size_t parts) {
    PartSizes sizes;
    sizes.bytes.resize(parts, 0);
    const std::vector<FileParts> files = filesToWrite(plan);
    const OutputRuns cut = cutRuns(plan, files, parts, kEngineRun);
    for (std::size_t i = 0; i < cut.runs.size(); ++i) {
        sizes.bytes[cut.writers[i] - 1] += cut.runs[i].bytes();
    }
    const PartShare shares(plan, parts);
    for (std::size_t i = 0; i < files.size(); ++i) {
        sizes.verifiedLast += shares.ownerOf(i) == 0 ? plan.layout.files[i].size : 0;
    }
    return sizes;
}

} // namespace cairn
