// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/training_state.h"
#include "core/model/value.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// "opt_state", "optimizer": the key of an optimizer's state in a tree of JAX.
bool isKeyOfOptimizer(std::string_view key);

/// What the optimizers of a tree keep for its parameters.
struct JaxMoments {
    std::size_t parameters = 0;
    std::size_t withMoments = 0;
    bool hasOptimizer = false;        ///< a state, even if it holds no arrays
    bool hasCount = false;            ///< optax's count of updates
    std::vector<std::string> without; ///< parameters without moments or a placeholder, although
                                      ///< others have moments
};

/// Whether a checkpoint is a tree that Orbax or Flax wrote.
bool isStateOfJax(const Checkpoint& checkpoint);

/// `without`, as a loss; empty: none.
std::vector<TrainingLoss> missingMoments(const JaxMoments& moments);

/// Relates the arrays of optimizers to parameters by their paths: a moment's path ends with that of
/// parameter below the key of the model ("opt_state.0.mu.dense.kernel", "params.dense.kernel"). Of
/// several models with such a parameter, the one whose path is nearest to the moment's has it; of
/// equally near ones (a model and its average beside one optimizer) all.
/// Linear in the tree. Fails: StateWithoutParameter (`mu`, `nu`, `trace` of another shape than the
/// parameter's).
Result<JaxMoments> momentsOf(const Checkpoint& source, const Value& tree);

/// Of the one item of a step that holds parameters and an optimizer, with the weights of models
/// (`params`) in the other items, which have no moments; of all values, if none or several do.
/// Fails as momentsOf().
Result<JaxMoments> momentsOfState(const Checkpoint& source, const Value& values);

} // namespace cairn
