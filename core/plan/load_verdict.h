// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/plan/copy_plan.h"

#include <cstdint>
#include <string_view>

namespace cairn {

/// Whether a program loads what a plan writes, in one sentence with the program's name. Nothing in
/// it is about the numbers of the weights.
struct LoadVerdict {
    enum class State : std::uint8_t {
        Loads,   ///< all that the program needs is there
        Unknown, ///< nobody knows: the model, or what reads the file
        Fails    ///< it does not load, or is not written
    };
    State state = State::Unknown;
    Sentence text; ///< "Loads with transformers LlamaForCausalLM, 291 of 291 names"
};
std::string_view loadStateName(LoadVerdict::State state); ///< "loads", "unknown", "fails"

/// Follows from the plan's problems, its checklist, its loader and its format. Pure.
LoadVerdict loadVerdict(const CopyPlan& plan);

} // namespace cairn
