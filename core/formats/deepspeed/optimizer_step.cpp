// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/optimizer_step.h"

#include "core/model/single_number.h"

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
    const auto number = singleNumber(*member.checkpoint, member.checkpoint->tensor(*index));
    return number ? finite(*number) : std::nullopt;
}

std::string stepText(double step) {
    return std::to_string(std::llround(std::clamp(step, -9e15, 9e15)));
}

} // namespace cairn::formats::deepspeed
