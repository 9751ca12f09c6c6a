// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/optimizer_step.h"

#include "core/model/element.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>

namespace cairn::formats::deepspeed {
namespace {

std::optional<double> finite(double number) {
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

std::optional<double> stepIn(const Member& member, const Value& states) {
    const Value* step =
        states.items().empty() ? nullptr : states.items().front().value.find("step");
    if (step == nullptr) {
        return std::nullopt;
    }
    if (const auto number = numberOf(*step)) {
        return finite(*number);
    }
    const TensorIndex* index = step->asTensor();
    if (index == nullptr || index->position() >= member.checkpoint->tensors().size()) {
        return std::nullopt;
    }
    const TensorEntry& tensor = member.checkpoint->tensor(*index);
    if (tensor.elements() == 1 && hasNumericElements(tensor.dtype)) {
        if (const auto bytes = readWhole(*member.checkpoint, tensor, 16)) {
            return finite(elementAsDouble(tensor.dtype, *bytes));
        }
    }
    return std::nullopt;
}

std::string stepText(double step) {
    return std::to_string(std::llround(std::clamp(step, -9e15, 9e15)));
}

} // namespace cairn::formats::deepspeed
