// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_walker.h"

#include <span>

namespace cairn::formats {

/// The call that creates an object.
struct TorchCall {
    pickle::NodeId id;
    pickle::GlobalName callee;
    std::span<const pickle::NodeId> args;
    int depth;
};

/// Converts an object of a pickle: a tensor becomes an entry, an object of a known class (the table
/// in the .cpp) a plain value, an nn.Module a dict, everything else an object with its attributes.
Value convertObject(TorchWalker& walker, pickle::NodeId id, int depth);

/// A storage saved directly (torch.save(tensor.storage())) becomes a tensor of one dimension; any
/// other persistent id a name.
Value convertPersistentId(TorchWalker& walker, pickle::NodeId id);

} // namespace cairn::formats
