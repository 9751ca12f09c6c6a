// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/warm_tensor.h"

#include <algorithm>

namespace cairn {
namespace {

/// Complete rows of the tensor, so that the box is one run of the dense form.
bool isRows(const Box& box, const Shape& shape) {
    for (std::size_t d = 1; d < shape.size(); ++d) {
        if (box.origin[d] != 0 || box.extent[d] != shape[d]) {
            return false;
        }
    }
    return !shape.empty();
}

bool isDense(const Dims& extent, const Strides& strides) {
    const Strides dense = denseStrides(extent);
    for (std::size_t d = 0; d < extent.size(); ++d) {
        if (extent[d] != 1 && strides[d] != dense[d]) {
            return false;
        }
    }
    return true;
}

} // namespace

WarmTensor::WarmTensor(const TensorEntry& tensor, const TensorReader& reader) {
    const std::uint64_t size = dtypeInfo(tensor.dtype).bits / 8;
    if (dtypeInfo(tensor.dtype).bits % 8 != 0 || reader.elementBytes() != size ||
        tensor.bytes() < kSmall) {
        return;
    }
    std::size_t next = 0;
    for (const Piece& piece : tensor.pieces) {
        const std::uint64_t elements = elementCount(piece.box.extent).value_or(0);
        if (elements == 0) {
            continue; // empty pieces are not in the reader
        }
        if (next == reader.pieces().size()) {
            break;
        }
        const LocatedPiece& located = reader.pieces()[next++];
        if (!isRows(piece.box, tensor.shape) || !isDense(piece.box.extent, located.strides) ||
            located.flags.any()) {
            continue;
        }
        const auto row = elementCount(tensor.shape).value_or(0) /
                         static_cast<std::uint64_t>(tensor.shape[0]) * size;
        Run run;
        run.first = static_cast<std::uint64_t>(piece.box.origin[0]) * row;
        run.length = elements * size;
        run.offset = located.bytes.offset;
        m_runs.push_back(std::move(run));
        if (elements * size >= kSmall) {
            m_runs.back().mapping =
                FileMapping::of(located.source, {located.bytes.offset, elements * size});
        }
    }
    std::ranges::sort(m_runs, {}, &Run::first);
    const auto overlaps = [](const Run& one, const Run& other) {
        return other.first - one.first < one.length;
    };
    // Of overlapping pieces the last one is used, as in the reader; a piece that is not a run may
    // overlap a run.
    if (m_runs.size() != reader.pieces().size() ||
        std::ranges::adjacent_find(m_runs, overlaps) != m_runs.end()) {
        m_runs.clear();
    }
}

std::span<const std::byte> WarmTensor::view(std::uint64_t first, std::size_t length) const {
    const auto after = std::ranges::upper_bound(m_runs, first, {}, &Run::first);
    if (after == m_runs.begin()) {
        return {};
    }
    const Run& run = *(after - 1);
    const std::uint64_t inside = first - run.first;
    if (!run.mapping || !ByteRange{inside, length}.fitsInto(run.length)) {
        return {};
    }
    return run.mapping->warm(run.offset + inside, length);
}

void WarmTensor::willRead(std::uint64_t first, std::uint64_t length) const {
    for (const Run& run : m_runs) {
        const std::uint64_t begin = std::max(first, run.first);
        const std::uint64_t end = std::min(first + length, run.first + run.length);
        if (run.mapping && begin < end) {
            run.mapping->willRead(run.offset + (begin - run.first),
                                  static_cast<std::size_t>(end - begin));
        }
    }
}

} // namespace cairn
