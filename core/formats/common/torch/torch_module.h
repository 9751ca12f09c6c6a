// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_classes.h"
#include "core/formats/common/torch/torch_walker.h"

#include <span>

namespace cairn::formats {

/// Converts a pickled nn.Module, flattened as in its state_dict(): parameters, buffers, then the
/// modules inside; then other attributes (tensors there are not weights, except those that the
/// state_dict() of quantised modules contains). The result is a dict with the module's class, so
/// that values have the same paths as names.
Value convertModule(TorchWalker& walker, pickle::NodeId id, std::span<const PickledAttribute> state,
                    int depth);

} // namespace cairn::formats
