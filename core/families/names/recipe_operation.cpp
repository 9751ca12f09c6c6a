// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/recipe_operation.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn {
namespace {

/// The view, if its dimension has that extent.
Result<TensorView> sized(const TensorView& view, std::size_t dim, std::int64_t extent) {
    if (dim < view.shape().size() && view.shape()[dim] == extent) {
        return view;
    }
    return fail(ErrorCode::BadSlice, "The tensor's shape contradicts the config")
        .butFound(verbatim(formatDims(view.shape())))
        .expecting(sentence("%1 in dimension %2", extent, dim));
}

} // namespace

Result<TensorView> applyOp(const TensorView& view, const Recipe::Op& op, RecipeFields& fields) {
    fields.setExtents(view.shape());
    std::vector<std::int64_t> numbers;
    for (const Expression& each : op.numbers) {
        CAIRN_TRY(const std::int64_t number, each.evaluate(fields.config()));
        numbers.push_back(number);
    }
    const auto dim = static_cast<std::size_t>(numbers.front());
    switch (op.kind) {
    case Recipe::Op::Kind::Split:
        return view.split(dim, Dims(std::span(numbers).subspan(1)));
    case Recipe::Op::Kind::Merge:
        return view.merge(dim, static_cast<std::size_t>(numbers[1]));
    case Recipe::Op::Kind::Slice:
        return view.slice(dim, numbers[1], numbers[2]);
    case Recipe::Op::Kind::Select:
        return view.select(dim, numbers[1]);
    case Recipe::Op::Kind::Swap:
        return view.swap(dim, static_cast<std::size_t>(numbers[1]));
    case Recipe::Op::Kind::Insert:
        return view.insert(dim);
    case Recipe::Op::Kind::Size:
        return sized(view, dim, numbers[1]);
    default:
        return fail(ErrorCode::Internal, "The operation is not allowed here");
    }
}

} // namespace cairn
