// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/model/training_state.h"

#include <cstddef>
#include <string>
#include <vector>

namespace cairn {

/// The names of an optimizer's parameters, by position in OptimizerState::parameters.
struct ParameterNames {
    std::vector<std::string> names; ///< empty where it is not decided
    Decided<bool> decided;          ///< true: all of them, with the evidence
    Sentence problem; ///< empty if decided: which parameter has no name, and the candidates
};

/// The judge of the question which parameter of the model an optimizer's number is. In the order of
/// strength:
/// - Proven: no other parameter has the shape of its moments.
/// - Recorded: the state dict has the names (get_state_dict(), or `param_names`).
/// - Named: each group lists its parameters in the model's order, as loops over named_parameters()
///   do, and only one division of the model's parameters into such groups fits the shapes of the
///   moments. Nothing in the file excludes another order of parameters of one shape, so that what
///   writes needs a choice of the user. Files that sort their tensors (safetensors) do not have
///   that order. Parameters without state have no shape: they are undecided
///   where several fit.
/// A recorded name that the model does not have, or whose shape differs from that of its moments,
/// is a contradiction: undecided. Gives up, undecided, beyond 2^18 partial divisions.
ParameterNames parameterNames(const Checkpoint& checkpoint, const TrainingState& state,
                              const OptimizerState& optimizer);

} // namespace cairn
