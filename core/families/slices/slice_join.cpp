// SPDX-License-Identifier: Apache-2.0
#include "core/families/slices/slice_join.h"

#include "core/families/slices/slice_names.h"
#include "core/families/slices/slice_shape.h"

#include <algorithm>
#include <vector>

namespace cairn {

std::string shapesText(std::span<const TensorView> views) {
    std::string text;
    for (const TensorView& view : views.first(std::min<std::size_t>(views.size(), 4))) {
        text += (text.empty() ? "" : ", ") + formatDims(view.shape());
    }
    return text + (views.size() > 4 ? ", …" : "");
}

Result<JoinedTensor> joinSlices(const std::string& name, std::span<const TensorView> slices,
                                const Shape& whole, std::string_view model) {
    std::vector<Shape> shapes;
    for (const TensorView& slice : slices) {
        shapes.push_back(slice.shape());
    }
    const auto dim = cutDimension(shapes, whole);
    std::int64_t sum = 0;
    for (const Shape& shape : shapes) {
        sum += dim ? shape[*dim] : 0;
    }
    const bool padded =
        dim == 0U && sum > whole[0] && mayBePadded(name) && sum - whole[0] < shapes.back()[0];
    if (!dim || (sum != whole[*dim] && !padded)) {
        const bool same = std::ranges::all_of(shapes, [&](const Shape& s) { return s == whole; });
        return fail(ErrorCode::BadSlice,
                    same ? Sentence("Each rank has the complete tensor, with other elements: the "
                                    "files are of several models or pipeline stages")
                         : "The shapes of the ranks' slices do not add up to that of the config's "
                           "class")
            .inTensor(name)
            .butFound(verbatim(shapesText(slices)))
            .expecting(sentence("parts of %1 as in %2", formatDims(whole), model))
            .withHint("Name the folder of the same model with --like");
    }
    if (!isContiguous(name)) {
        return fail(ErrorCode::Unsupported,
                    "In which order a rank's slice of this tensor was cut is unknown")
            .inTensor(name)
            .butFound(verbatim(shapesText(slices)))
            .withHint("Load the files in the program that wrote them, and save the complete model");
    }
    CAIRN_TRY(const TensorView joined, TensorView::concat(slices, *dim));
    if (!padded) {
        return JoinedTensor{joined, false};
    }
    CAIRN_TRY(const TensorView cut, joined.slice(0, 0, whole[0]));
    return JoinedTensor{cut, true};
}

} // namespace cairn
