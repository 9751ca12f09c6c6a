// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

/// Fields of configs under the names of several families. Internal to core/analysis.
namespace cairn::memory {

inline constexpr std::int64_t kMost = std::int64_t{1} << 40U; ///< larger numbers are errors

/// The first of the fields that is a positive number.
inline std::optional<std::uint64_t> field(const ModelConfig& config,
                                          std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const auto number = config.integer(name);
        if (number && *number > 0 && *number < kMost) {
            return static_cast<std::uint64_t>(*number);
        }
    }
    return std::nullopt;
}

inline std::optional<std::uint64_t> layersOf(const ModelConfig& config) {
    return field(config, {"num_hidden_layers", "n_layer", "num_layers", "n_layers"});
}
inline std::optional<std::uint64_t> widthOf(const ModelConfig& config) {
    return field(config, {"hidden_size", "n_embd", "d_model", "dim"});
}
inline std::optional<std::uint64_t> headsOf(const ModelConfig& config) {
    return field(config, {"num_attention_heads", "n_head", "num_heads", "n_heads"});
}
inline std::optional<std::uint64_t> contextOf(const ModelConfig& config) {
    return field(config, {"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"});
}

/// Heads whose keys and values are kept.
inline std::optional<std::uint64_t> keyHeadsOf(const ModelConfig& config) {
    if (config.integer("multi_query").value_or(0) == 1 &&
        config.integer("new_decoder_architecture").value_or(0) == 0) { // Falcon
        return 1;
    }
    const auto heads = field(
        config, {"num_key_value_heads", "num_kv_heads", "n_kv_heads", "multi_query_group_num"});
    return heads ? heads : headsOf(config);
}
inline std::optional<std::uint64_t> headSizeOf(const ModelConfig& config) {
    if (const auto size = field(config, {"head_dim", "kv_channels"})) {
        return size;
    }
    const auto width = widthOf(config);
    const auto heads = headsOf(config);
    return width && heads && *width % *heads == 0 ? std::optional(*width / *heads) : std::nullopt;
}

} // namespace cairn::memory
