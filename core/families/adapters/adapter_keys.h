// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter.h"
#include "core/families/names/recipe.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The names of an adapter's tensors, as PEFT's versions write them. Internal to core/families.
namespace cairn {

/// The tensors of an adapter that belong to one layer of the base.
struct AdapterModule {
    std::string path;      ///< "model.layers.0.self_attn.q_proj"
    std::size_t depth = 0; ///< layers of adapters around this one: ".base_layer" in its names
    std::optional<TensorIndex> a;
    std::optional<TensorIndex> b;
    std::optional<TensorIndex> bias;
    std::optional<TensorIndex> embeddingA;
    std::optional<TensorIndex> embeddingB;
    std::optional<TensorIndex> magnitude;
    std::optional<TensorIndex> tokens;
    [[nodiscard]] std::string leaf() const { return path.substr(path.rfind('.') + 1); }
};

struct AdapterKeys {
    std::vector<AdapterModule> modules; ///< by path and depth
    std::vector<NamedTensor> replaced;  ///< complete tensors of the base, by their names there
    /// Those of `replaced` that were saved in another file of the adapter's folder, which has every
    /// trained tensor of the model but the adapter's: the base need not have them.
    std::set<TensorIndex> beside;
};

/// Fails with Unsupported, and the tensor's name, if it is not one that PEFT gives; tensors that
/// are not weights (an optimizer's state) are passed over.
Result<AdapterKeys> readAdapterKeys(const Checkpoint& adapter);

} // namespace cairn
