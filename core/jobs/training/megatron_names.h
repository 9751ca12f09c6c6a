// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// Names in a training state of Megatron-core that both directions ask for, and those of
/// transformers beside them.
namespace cairn::megatron_names {

inline constexpr std::string_view kStatePrefix = "optimizer.state.";
inline constexpr auto kMomentsOfAdam = std::to_array<std::string_view>({"exp_avg", "exp_avg_sq"});
/// Of masters: in mixed precision, and in the distributed optimizer (distrib_optimizer.py,
/// sharded_param_state_fully_reshardable).
inline constexpr auto kMasterKeys = std::to_array<std::string_view>({"fp32_param", "param"});

/// In the names of transformers.
inline constexpr std::string_view kHead = "lm_head.weight";
inline constexpr auto kEmbeddings =
    std::to_array<std::string_view>({"model.embed_tokens.weight", "transformer.wte.weight"});

} // namespace cairn::megatron_names
