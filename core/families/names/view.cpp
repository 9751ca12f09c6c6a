// SPDX-License-Identifier: Apache-2.0
//
// A part of a view is a box of the view and, for each of its dimensions, the dimension of a stored
// piece along which it runs and with what step. Every operation keeps that form: what cannot be
// said with one step (rows of two heads, one behind the other, whose elements alternate) becomes
// several parts. Strides in the file follow only when a piece is made, or, for encoded pieces, when
// their codec has located them.
#include "core/families/names/view.h"

#include "core/model/region.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

Error noSuchDim(const Shape& shape, std::size_t dim) {
    return fail(ErrorCode::BadSlice, "The tensor has too few dimensions")
        .butFound(verbatim(formatDims(shape)))
        .expecting(sentence("a dimension %1", dim));
}

} // namespace

TensorView TensorView::of(const Checkpoint& checkpoint, TensorIndex index) {
    const TensorEntry& tensor = checkpoint.tensor(index);
    TensorView view;
    view.m_checkpoint = &checkpoint;
    view.m_origin = index;
    view.m_shape = tensor.shape;
    view.m_dtype = tensor.dtype;
    for (std::size_t i = 0; i < tensor.pieces.size(); ++i) {
        const Box& box = tensor.pieces[i].box;
        ViewPart part{index,
                      static_cast<std::uint32_t>(i),
                      {},
                      std::vector<std::int64_t>(box.extent.size(), 0)};
        for (std::size_t d = 0; d < box.extent.size(); ++d) {
            part.axes.push_back({box.origin[d], box.extent[d], static_cast<std::int32_t>(d), 1});
        }
        view.m_parts.push_back(std::move(part));
    }
    return view;
}

Result<TensorView> TensorView::checked() && {
    m_whole = false;
    if (m_parts.size() > kMaxParts || m_shape.size() > kMaxRank) {
        return fail(ErrorCode::LimitExceeded, "The conversion cuts the tensor into too many parts")
            .inTensor(m_checkpoint->tensor(m_origin).name)
            .butFound(verbatim(std::to_string(m_parts.size())));
    }
    return std::move(*this);
}

Result<TensorView> TensorView::split(std::size_t dim, const Dims& extents) const {
    if (dim >= m_shape.size()) {
        return noSuchDim(m_shape, dim);
    }
    const auto product = elementCount(extents);
    if (extents.empty() || !product || *product != static_cast<std::uint64_t>(m_shape[dim])) {
        return fail(ErrorCode::BadSlice, "A dimension cannot be divided as the rule requires")
            .inTensor(m_checkpoint->tensor(m_origin).name)
            .butFound(sentence("%1, dimension %2", formatDims(m_shape), dim))
            .expecting(verbatim(formatDims(extents)));
    }
    TensorView made = *this;
    std::vector<std::int64_t> shape(m_shape.span().begin(), m_shape.span().end());
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim), extents.span().begin(),
                 extents.span().end());
    made.m_shape = Shape(shape);
    made.m_parts.clear();
    const Strides inner = denseStrides(extents);
    for (const ViewPart& part : m_parts) {
        const ViewPart::Axis axis = part.axes[dim];
        for (const Box& slab : slabsOf(Box::whole(extents), static_cast<std::uint64_t>(axis.origin),
                                       static_cast<std::uint64_t>(axis.origin + axis.extent))) {
            ViewPart cut = part;
            std::int64_t at = 0;
            std::vector<ViewPart::Axis> axes;
            for (std::size_t d = 0; d < extents.size(); ++d) {
                at += slab.origin[d] * inner[d];
                axes.push_back({slab.origin[d], slab.extent[d], axis.source, axis.step * inner[d]});
            }
            if (axis.source >= 0) {
                cut.start[static_cast<std::size_t>(axis.source)] += (at - axis.origin) * axis.step;
            }
            const auto place = cut.axes.begin() + static_cast<std::ptrdiff_t>(dim);
            cut.axes.insert(cut.axes.erase(place), axes.begin(), axes.end());
            made.m_parts.push_back(std::move(cut));
        }
    }
    return std::move(made).checked();
}

Result<TensorView> TensorView::merge(std::size_t dim, std::size_t count) const {
    if (count == 0 || dim + count > m_shape.size()) {
        return noSuchDim(m_shape, dim + count);
    }
    TensorView made = *this;
    for (std::size_t left = 1; left < count; ++left) { // the last two first
        const std::size_t outer = dim + count - 1 - left;
        const std::int64_t width = made.m_shape[outer + 1];
        std::vector<ViewPart> parts;
        for (const ViewPart& part : made.m_parts) {
            const ViewPart::Axis a = part.axes[outer];
            const ViewPart::Axis b = part.axes[outer + 1];
            const bool regular =
                a.extent == 1 ||
                (b.extent == width && a.source == b.source && a.step == b.step * width) ||
                (width == 1 && b.extent == 1);
            const std::int64_t rounds = regular ? 1 : a.extent;
            if (parts.size() + static_cast<std::size_t>(rounds) > kMaxParts) {
                return fail(ErrorCode::LimitExceeded,
                            "The conversion cuts the tensor into too many parts")
                    .inTensor(m_checkpoint->tensor(m_origin).name);
            }
            for (std::int64_t i = 0; i < rounds; ++i) {
                ViewPart cut = part;
                ViewPart::Axis joined = b;
                if (!regular && a.source >= 0) {
                    cut.start[static_cast<std::size_t>(a.source)] += i * a.step;
                }
                joined.origin = (a.origin + i) * width + b.origin;
                if (regular && a.extent > 1) {
                    joined.extent = a.extent * width;
                    joined.source = a.source;
                    joined.step = width == 1 ? a.step : b.step;
                }
                cut.axes[outer] = joined;
                cut.axes.erase(cut.axes.begin() + static_cast<std::ptrdiff_t>(outer) + 1);
                parts.push_back(std::move(cut));
            }
        }
        made.m_parts = std::move(parts);
        std::vector<std::int64_t> shape(made.m_shape.span().begin(), made.m_shape.span().end());
        shape[outer] *= width;
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(outer) + 1);
        made.m_shape = Shape(shape);
    }
    return std::move(made).checked();
}

Result<TensorView> TensorView::slice(std::size_t dim, std::int64_t first,
                                     std::int64_t count) const {
    if (dim >= m_shape.size()) {
        return noSuchDim(m_shape, dim);
    }
    if (first < 0 || count < 0 || first > m_shape[dim] || count > m_shape[dim] - first) {
        return fail(ErrorCode::BadSlice, "The rule takes more than the tensor has")
            .inTensor(m_checkpoint->tensor(m_origin).name)
            .butFound(sentence("%1, dimension %2", formatDims(m_shape), dim))
            .expecting(sentence("%1 to %2", first, first + count));
    }
    if (count == m_shape[dim]) {
        return *this; // all of it; a stored tensor stays one
    }
    TensorView made = *this;
    made.m_shape[dim] = count;
    made.m_parts.clear();
    for (const ViewPart& part : m_parts) {
        const ViewPart::Axis& axis = part.axes[dim];
        const std::int64_t begin = std::max(axis.origin, first);
        const std::int64_t end = std::min(axis.origin + axis.extent, first + count);
        if (begin >= end) {
            continue;
        }
        ViewPart cut = part;
        if (axis.source >= 0) {
            cut.start[static_cast<std::size_t>(axis.source)] += (begin - axis.origin) * axis.step;
        }
        cut.axes[dim].origin = begin - first;
        cut.axes[dim].extent = end - begin;
        made.m_parts.push_back(std::move(cut));
    }
    return std::move(made).checked();
}

Result<TensorView> TensorView::select(std::size_t dim, std::int64_t index) const {
    CAIRN_TRY(TensorView made, slice(dim, index, 1));
    made.m_whole = false;
    std::vector<std::int64_t> shape(made.m_shape.span().begin(), made.m_shape.span().end());
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
    made.m_shape = Shape(shape);
    for (ViewPart& part : made.m_parts) {
        part.axes.erase(part.axes.begin() + static_cast<std::ptrdiff_t>(dim));
    }
    return made;
}

Result<TensorView> TensorView::swap(std::size_t a, std::size_t b) const {
    if (std::max(a, b) >= m_shape.size()) {
        return noSuchDim(m_shape, std::max(a, b));
    }
    TensorView made = *this;
    std::swap(made.m_shape[a], made.m_shape[b]);
    for (ViewPart& part : made.m_parts) {
        std::swap(part.axes[a], part.axes[b]);
    }
    return std::move(made).checked();
}

Result<TensorView> TensorView::insert(std::size_t dim) const {
    if (dim > m_shape.size()) {
        return noSuchDim(m_shape, dim);
    }
    TensorView made = *this;
    std::vector<std::int64_t> shape(m_shape.span().begin(), m_shape.span().end());
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim), 1);
    made.m_shape = Shape(shape);
    for (ViewPart& part : made.m_parts) {
        part.axes.insert(part.axes.begin() + static_cast<std::ptrdiff_t>(dim), ViewPart::Axis{});
    }
    return std::move(made).checked();
}

Result<TensorView> TensorView::concat(std::span<const TensorView> views, std::size_t dim) {
    TensorView made = views.front();
    if (dim >= made.m_shape.size()) {
        return noSuchDim(made.m_shape, dim);
    }
    for (const TensorView& view : views.subspan(1)) {
        Shape same = view.m_shape;
        if (same.size() == made.m_shape.size()) {
            same[dim] = made.m_shape[dim];
        }
        if (same != made.m_shape || view.m_dtype != made.m_dtype) {
            return fail(ErrorCode::BadSlice,
                        "Tensors that are joined have different shapes or dtypes")
                .inTensor(view.m_checkpoint->tensor(view.m_origin).name)
                .butFound(sentence("%1 %2", dtypeName(view.m_dtype), formatDims(view.m_shape)))
                .expecting(sentence("%1 %2", dtypeName(made.m_dtype), formatDims(made.m_shape)));
        }
        for (ViewPart part : view.m_parts) {
            part.axes[dim].origin += made.m_shape[dim];
            made.m_parts.push_back(std::move(part));
        }
        made.m_shape[dim] += view.m_shape[dim];
    }
    return std::move(made).checked();
}

} // namespace cairn
