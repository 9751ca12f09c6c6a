// SPDX-License-Identifier: Apache-2.0
#include "core/plan/shared_ranges.h"

#include "core/base/checked.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <span>

/// From pieces to runs to blocks.
///
/// The common box of a piece and a segment is one run of bytes in both if it has the complete
/// extent of either in all dimensions after some dimension, and extent 1 in those before it: rows.
/// Runs of neighbouring segments are merged if they are contiguous in source and output, across
/// tensors; the result is clipped to complete blocks and elements, and shared if both files have it
/// at the same offset within a block. So the length of a file's header decides for all its data.
namespace cairn {
namespace {

/// Bytes of one segment that are contiguous in one source file.
struct Run {
    FileIndex file;
    std::uint64_t sourceOffset = 0;
    std::uint64_t at = 0; ///< offset in the segment
    std::uint64_t length = 0;
};

/// Size of the unit that must not be split.
std::uint64_t unitBytes(Dtype dtype) {
    const DtypeInfo& info = dtypeInfo(dtype);
    return info.isBlock() ? info.blockBytes : std::max<std::uint64_t>(info.bits / 8, 1);
}

bool storedAsWritten(const CopyPlan& plan, TensorIndex index, Dtype dtype) {
    const TensorEntry& tensor = plan.source->tensor(index);
    return dtype == tensor.dtype && !hasStrings(dtype) && !plan.recipes.contains(index) &&
           std::ranges::all_of(tensor.pieces, [&](const Piece& piece) {
               return piece.codec == kRawCodec && !piece.flags.any() &&
                      (piece.strides.empty() || piece.strides == denseStrides(piece.box.extent));
           });
}

/// Number of elements of `outer` before the first one of `inner`, if `inner` is contiguous in
/// `outer`.
std::optional<std::uint64_t> runStart(const Box& inner, const Box& outer) {
    std::uint64_t start = 0;
    bool single = true; // all extents so far are 1
    for (std::size_t d = 0; d < outer.extent.size(); ++d) {
        if (!single && inner.extent[d] != outer.extent[d]) {
            return std::nullopt;
        }
        single = single && inner.extent[d] == 1;
        start = start * static_cast<std::uint64_t>(outer.extent[d]) +
                static_cast<std::uint64_t>(inner.origin[d] - outer.origin[d]);
    }
    return start;
}

/// Appends the runs of `box`; appends nothing if elements are in several pieces or in none.
void addRuns(const TensorEntry& tensor, const Box& box, std::vector<Run>& runs) {
    const std::size_t before = runs.size();
    const DtypeInfo& info = dtypeInfo(tensor.dtype);
    const bool divisible = !info.isBlock() && info.bits % 8 == 0;
    const std::uint64_t size = info.bits / 8;
    std::uint64_t elements = 0;
    for (const Piece& piece : tensor.pieces) {
        const auto common = intersect(piece.box, box);
        if (!common) {
            continue;
        }
        elements += elementCount(common->extent).value_or(0);
        if (piece.box == box) {
            if (piece.bytes.length == dtypeBytes(tensor.dtype, elements)) {
                runs.push_back({piece.file, piece.bytes.offset, 0, piece.bytes.length});
            }
            continue;
        }
        const auto source = runStart(*common, piece.box);
        const auto target = runStart(*common, box);
        if (divisible && source && target) {
            runs.push_back({piece.file, piece.bytes.offset + *source * size, *target * size,
                            elementCount(common->extent).value_or(0) * size});
        }
    }
    if (elements != elementCount(box.extent).value_or(0)) {
        runs.resize(before);
    }
    std::ranges::sort(std::span(runs).subspan(before), {}, &Run::at);
}

/// The segment that contains the byte. REQUIRES: `tensors` is not empty.
const TensorSegment& segmentAt(std::span<const TensorSegment> tensors, std::uint64_t offset) {
    const auto after = std::ranges::upper_bound(tensors, offset, {}, &TensorSegment::offset);
    return *std::prev(after);
}

/// Clips a run to complete blocks and elements; false: too little is left.
bool cutToBlocks(const OutputFile& file, std::uint64_t block, SharedRange& range) {
    if (range.offset % block != range.sourceOffset % block) {
        return false;
    }
    const auto cutsElement = [&](std::uint64_t at, std::uint64_t inside) {
        const TensorSegment& segment = segmentAt(file.tensors, inside);
        return at != segment.offset + segment.length &&
               (at - segment.offset) % unitBytes(segment.dtype) != 0;
    };
    std::uint64_t begin = (range.offset + block - 1) / block * block;
    std::uint64_t end = range.end() / block * block;
    while (begin < end && cutsElement(begin, begin)) {
        begin += block;
    }
    while (begin < end && cutsElement(end, end - 1)) {
        end -= block;
    }
    if (end < begin + kLeastShared) {
        return false;
    }
    range.sourceOffset += begin - range.offset;
    range.offset = begin;
    range.length = end - begin;
    return true;
}

void addFile(const CopyPlan& plan, std::uint32_t index, std::vector<SharedRange>& ranges) {
    const OutputFile& file = plan.layout.files[index];
    std::vector<Run> runs;
    std::vector<SharedRange> found;
    for (const TensorSegment& segment : file.tensors) {
        if (segment.length == 0 || !storedAsWritten(plan, segment.source, segment.dtype)) {
            continue;
        }
        runs.clear();
        addRuns(plan.source->tensor(segment.source), segment.box, runs);
        for (const Run& run : runs) {
            const std::size_t position = run.file.position();
            if (position >= plan.sharing.files.size() || !plan.sharing.files[position]) {
                continue;
            }
            const SharedRange next{index, segment.offset + run.at, run.length, run.file,
                                   run.sourceOffset};
            SharedRange* last = found.empty() ? nullptr : &found.back();
            if (last != nullptr && last->source == next.source && last->end() == next.offset &&
                last->sourceOffset + last->length == next.sourceOffset) {
                last->length += next.length;
            } else {
                found.push_back(next);
            }
        }
    }
    std::erase_if(
        found, [&](SharedRange& range) { return !cutToBlocks(file, plan.sharing.block, range); });
    ranges.insert(ranges.end(), found.begin(), found.end());
}

} // namespace

std::vector<SharedRange> sharedRanges(const CopyPlan& plan) {
    std::vector<SharedRange> ranges;
    if (plan.sharing.block == 0) {
        return ranges;
    }
    for (std::size_t i = 0; i < plan.layout.files.size(); ++i) {
        if (!plan.layout.files[i].needsChecksums() && !plan.layout.files[i].tensors.empty()) {
            addFile(plan, static_cast<std::uint32_t>(i), ranges);
        }
    }
    return ranges;
}

std::optional<LayoutTensor::Origin> originOf(const CopyPlan& plan, TensorIndex index, Dtype dtype) {
    if (plan.sharing.block == 0 || !storedAsWritten(plan, index, dtype)) {
        return std::nullopt;
    }
    const TensorEntry& tensor = plan.source->tensor(index);
    std::vector<Run> runs;
    addRuns(tensor, Box::whole(tensor.shape), runs);
    const auto longest = std::ranges::max_element(runs, {}, &Run::length);
    if (longest == runs.end() || longest->file.position() >= plan.sharing.files.size() ||
        !plan.sharing.files[longest->file.position()]) {
        return std::nullopt;
    }
    return LayoutTensor::Origin{longest->file, longest->sourceOffset - longest->at,
                                longest->length};
}

} // namespace cairn
