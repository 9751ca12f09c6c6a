// SPDX-License-Identifier: Apache-2.0
//
// TensorReader reads boxes. A selection with steps is cut into boxes: where the gaps between the
// selected elements are wide, one for each index; where they are narrow, one around many indices,
// from which the elements are picked in memory.
#include "core/model/strided_read.h"

#include "core/base/checked.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace cairn {
namespace {

constexpr std::uint64_t kWideGap = std::uint64_t{16} << 10U;
constexpr std::uint64_t kSlab = std::uint64_t{2} << 20U;
constexpr std::uint64_t kBetweenChecks = std::uint64_t{32} << 20U;

/// Positions of the selected elements in their bounding box, in C order of the selection.
class Picker {
public:
    /// `ranges` of the box's dimensions; `unit`: size of an element.
    Picker(std::span<const StridedRange> ranges, std::size_t unit) : m_ranges(ranges) {
        m_strides.resize(ranges.size());
        auto stride = static_cast<std::ptrdiff_t>(unit);
        for (std::size_t d = ranges.size(); d-- > 0;) {
            m_strides[d] = stride;
            stride *= static_cast<std::ptrdiff_t>(std::max<std::int64_t>(ranges[d].span(), 1));
        }
    }

    /// Calls take(offset, count) for each run of neighbouring elements.
    template <class Take> void each(const Take& take) const { level(0, 0, take); }

private:
    template <class Take> void level(std::size_t d, std::ptrdiff_t offset, const Take& take) const {
        if (d == m_ranges.size()) {
            take(offset, std::int64_t{1});
            return;
        }
        const StridedRange& range = m_ranges[d];
        offset += static_cast<std::ptrdiff_t>(range.first - range.lowest()) * m_strides[d];
        if (d + 1 == m_ranges.size() && range.step == 1) {
            take(offset, range.count);
            return;
        }
        const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(range.step) * m_strides[d];
        for (std::int64_t i = 0; i < range.count; ++i, offset += step) {
            level(d + 1, offset, take);
        }
    }

    std::span<const StridedRange> m_ranges;
    std::vector<std::ptrdiff_t> m_strides;
};

/// The number of units of reading, of blocks or of elements, in a part of the last dimension.
std::int64_t units(std::int64_t elements, const DtypeInfo& info) {
    return elements / static_cast<std::int64_t>(info.blockElements);
}

class SelectionReader {
public:
    SelectionReader(const TensorReader& reader, const TensorEntry& tensor,
                    std::span<const StridedRange> ranges, const CancelToken& cancel)
        : m_reader(reader), m_ranges(ranges.begin(), ranges.end()), m_cancel(cancel),
          m_box(Box::whole(tensor.shape)) {
        const std::size_t rank = ranges.size();
        for (StridedRange& range : m_ranges) {
            range.step = range.count == 1 ? 1 : range.step;
        }
        const DtypeInfo& info = dtypeInfo(tensor.dtype);
        m_out.resize(rank + 1, reader.elementBytes());
        m_bounds.resize(rank + 1, reader.elementBytes());
        m_pitch.resize(rank + 1, reader.elementBytes());
        for (std::size_t d = rank; d-- > 0;) {
            const std::int64_t per = d + 1 == rank ? std::int64_t{info.blockElements} : 1;
            const auto size = [&](std::int64_t elements) {
                return static_cast<std::uint64_t>(elements / per);
            };
            m_out[d] = m_out[d + 1] * size(ranges[d].count);
            m_bounds[d] = m_bounds[d + 1] * size(ranges[d].span());
            m_pitch[d] = m_pitch[d + 1] * size(tensor.shape[d]);
            m_box.origin[d] = ranges[d].lowest();
            m_box.extent[d] = ranges[d].span();
        }
        m_steps = rank;
        while (m_steps > 0 && m_ranges[m_steps - 1].step == 1) {
            --m_steps;
        }
        m_last = m_ranges;
        if (rank > 0) { // picked in units
            m_last.back().first = units(m_last.back().first, info);
            m_last.back().count = units(m_last.back().count, info);
        }
    }

    Result<void> read(std::span<std::byte> out) { return readFrom(0, out); }

private:
    /// Reads the dimensions from `d` on; the earlier ones are fixed in m_box.
    Result<void> readFrom(std::size_t d, std::span<std::byte> out) {
        if (d >= m_steps) {
            return readDense(out);
        }
        const StridedRange range = m_ranges[d];
        const auto step = static_cast<std::uint64_t>(range.step < 0 ? -range.step : range.step);
        const std::uint64_t gap = checkedMul(step, m_pitch[d + 1]).value_or(kWideGap);
        const bool narrow = gap < kWideGap;
        std::int64_t group = 1;
        if (narrow) {
            const std::uint64_t many = kSlab / std::max<std::uint64_t>(step * m_bounds[d + 1], 1);
            group = std::clamp<std::int64_t>(static_cast<std::int64_t>(many), 1, range.count);
        }
        for (std::int64_t i = 0; i < range.count; i += group) {
            CAIRN_CHECK(m_cancel.check());
            const StridedRange part{range.first + i * range.step, range.step,
                                    std::min(group, range.count - i)};
            const auto bytes = static_cast<std::size_t>(m_out[d + 1]);
            const auto target = out.subspan(static_cast<std::size_t>(i) * bytes,
                                            static_cast<std::size_t>(part.count) * bytes);
            m_box.origin[d] = part.lowest();
            m_box.extent[d] = part.span();
            CAIRN_CHECK(narrow ? pick(d, part, target) : readFrom(d + 1, target));
        }
        m_box.origin[d] = range.lowest();
        m_box.extent[d] = range.span();
        return {};
    }

    Result<void> readDense(std::span<std::byte> out) {
        const std::uint64_t unit = m_reader.elementBytes();
        const std::uint64_t most =
            std::max<std::uint64_t>(kBetweenChecks / spread() / unit, 1) * unit;
        for (std::uint64_t done = 0; done < out.size(); done += most) {
            CAIRN_CHECK(m_cancel.check());
            const auto part = static_cast<std::size_t>(std::min(most, out.size() - done));
            CAIRN_CHECK(m_reader.readBytes(
                m_box, done, out.subspan(static_cast<std::size_t>(done), part), m_scratch));
        }
        return {};
    }

    /// Bytes of a raw file from the first to the last element of m_box, for each byte of the
    /// result: few columns of many rows are read with the rows.
    [[nodiscard]] std::uint64_t spread() const {
        for (std::size_t d = 0; d < m_box.extent.size(); ++d) {
            if (m_box.extent[d] > 1) {
                return std::max<std::uint64_t>(
                    m_pitch[d + 1] / std::max<std::uint64_t>(m_out[d + 1], 1), 1);
            }
        }
        return 1;
    }

    /// Reads the box around `part` of dimension `d` and all selected elements of the later ones.
    Result<void> pick(std::size_t d, const StridedRange& part, std::span<std::byte> out) {
        std::vector<StridedRange> ranges(m_last.begin() + static_cast<std::ptrdiff_t>(d),
                                         m_last.end());
        ranges.front() = part;
        m_slab.resize(
            static_cast<std::size_t>(static_cast<std::uint64_t>(part.span()) * m_bounds[d + 1]));
        CAIRN_CHECK(m_reader.readBox(m_box, m_slab, m_scratch));
        const auto unit = static_cast<std::size_t>(m_reader.elementBytes());
        std::byte* target = out.data();
        Picker(ranges, unit).each([&](std::ptrdiff_t offset, std::int64_t count) {
            const std::size_t bytes = static_cast<std::size_t>(count) * unit;
            std::memcpy(target, m_slab.data() + offset, bytes);
            target += bytes;
        });
        return {};
    }

    const TensorReader& m_reader;
    std::vector<StridedRange> m_ranges;
    std::vector<StridedRange> m_last; ///< the same, the last dimension in units
    const CancelToken& m_cancel;
    Box m_box;
    std::size_t m_steps = 0;             ///< dimensions from here on have no steps
    std::vector<std::uint64_t> m_out;    ///< bytes of the result from a dimension on
    std::vector<std::uint64_t> m_bounds; ///< bytes of the bounding box from a dimension on
    std::vector<std::uint64_t> m_pitch;  ///< bytes of the tensor from a dimension on
    std::vector<std::byte> m_slab;
    TensorReader::Scratch m_scratch;
};

Error badRanges(const TensorEntry& tensor, Sentence found) {
    return fail(ErrorCode::BadSlice, "The slice exceeds the tensor's shape")
        .inTensor(tensor.name)
        .butFound(std::move(found))
        .expecting(sentence("a part of %1", formatDims(tensor.shape)));
}

/// Whether all elements are selected in their order.
bool isComplete(const TensorEntry& tensor, std::span<const StridedRange> ranges) {
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        const bool all = ranges[d].first == 0 && ranges[d].count == tensor.shape[d] &&
                         (ranges[d].step == 1 || ranges[d].count == 1);
        if (!all) {
            return false;
        }
    }
    return true;
}

} // namespace

Result<std::uint64_t> stridedBytes(const TensorEntry& tensor,
                                   std::span<const StridedRange> ranges) {
    if (ranges.size() != tensor.shape.size()) {
        return badRanges(tensor, sentence("%1 dimensions", ranges.size()));
    }
    std::uint64_t elements = 1;
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        const StridedRange& range = ranges[d];
        const std::int64_t extent = tensor.shape[d];
        const bool valid =
            range.step != 0 && range.step >= -std::numeric_limits<std::int64_t>::max() &&
            range.count >= 0 && range.count <= extent && range.first >= 0 && range.first <= extent;
        const auto step = static_cast<std::uint64_t>(range.step);
        const auto reach =
            checkedMul(static_cast<std::uint64_t>(std::max<std::int64_t>(range.count, 1) - 1),
                       range.step < 0 ? 0 - step : step); // -step would overflow for the lowest
        const bool fits =
            valid && reach && *reach <= static_cast<std::uint64_t>(extent) &&
            (range.count == 0 || (range.lowest() >= 0 && range.lowest() + range.span() <= extent));
        if (!fits) {
            return badRanges(tensor, sentence("%1 indices from %2 by %3 in dimension %4",
                                              range.count, range.first, range.step, d));
        }
        elements *= static_cast<std::uint64_t>(range.count); // at most those of the tensor
    }
    if (elements == 0 || hasStrings(tensor.dtype)) {
        return elements;
    }
    const DtypeInfo& info = dtypeInfo(tensor.dtype);
    const auto block = std::int64_t{info.blockElements};
    const bool cut =
        info.isBlock() && (ranges.empty() || ranges.back().step != 1 ||
                           ranges.back().first % block != 0 || ranges.back().count % block != 0);
    if ((cut || (!info.isBlock() && info.bits % 8 != 0)) && !isComplete(tensor, ranges)) {
        return fail(ErrorCode::Unsupported,
                    "A tensor of this dtype cannot be cut at single elements")
            .inTensor(tensor.name)
            .butFound(verbatim(std::string(info.name)))
            .expecting(info.isBlock()
                           ? sentence("multiples of %1 elements of the last dimension", block)
                           : "the complete tensor");
    }
    return dtypeBytes(tensor.dtype, elements).value_or(std::numeric_limits<std::uint64_t>::max());
}

Result<void> readStrided(const Checkpoint& checkpoint, const TensorEntry& tensor,
                         std::span<const StridedRange> ranges, std::span<std::byte> out,
                         const CancelToken& cancel) {
    if (out.empty()) {
        return cancel.check();
    }
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    return readStrided(reader, tensor, ranges, out, cancel);
}

Result<void> readStrided(const TensorReader& reader, const TensorEntry& tensor,
                         std::span<const StridedRange> ranges, std::span<std::byte> out,
                         const CancelToken& cancel) {
    if (out.empty()) {
        return cancel.check();
    }
    const DtypeInfo& info = dtypeInfo(tensor.dtype);
    if (!info.isBlock() && info.bits % 8 != 0) { // complete, as stridedBytes() made sure
        TensorReader::Scratch scratch;
        return reader.readBytes(Box::whole(tensor.shape), 0, out, scratch);
    }
    return SelectionReader(reader, tensor, ranges, cancel).read(out);
}

Result<std::vector<std::string>> readStridedStrings(const Checkpoint& checkpoint,
                                                    const TensorEntry& tensor,
                                                    std::span<const StridedRange> ranges,
                                                    const CancelToken& cancel) {
    CAIRN_TRY(const std::uint64_t count, stridedBytes(tensor, ranges));
    std::vector<std::string> chosen;
    if (count == 0) {
        return chosen;
    }
    Box box = Box::whole(tensor.shape);
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        box.origin[d] = ranges[d].lowest();
        box.extent[d] = ranges[d].span();
    }
    CAIRN_TRY(const std::vector<std::string> all,
              readStrings(checkpoint, tensor, box, kMaxStringMemory, cancel));
    chosen.reserve(static_cast<std::size_t>(count));
    Picker(ranges, 1).each([&](std::ptrdiff_t offset, std::int64_t run) {
        chosen.insert(chosen.end(), all.begin() + offset, all.begin() + offset + run);
    });
    return chosen;
}

} // namespace cairn
