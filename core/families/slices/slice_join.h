// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/names/view.h"
#include "core/model/dims.h"

#include <span>
#include <string>
#include <string_view>

/// Internal to core/families/slices: the slices of one tensor, one behind the other. Pure.
namespace cairn {

struct JoinedTensor {
    TensorView view;
    bool padded = false; ///< rows at the end were left out
};

/// The slices of all ranks, in their order, as the tensor of the class `model` with the shape
/// `whole`. Fails with BadSlice if their shapes do not add up to it, Unsupported if they leave open
/// in which order the tensor was cut. REQUIRES: one slice or more.
Result<JoinedTensor> joinSlices(const std::string& name, std::span<const TensorView> slices,
                                const Shape& whole, std::string_view model);

/// The first shapes, for an error.
std::string shapesText(std::span<const TensorView> views);

} // namespace cairn
