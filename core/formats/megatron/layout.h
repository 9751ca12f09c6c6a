// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"

#include <cstdint>
#include <optional>

namespace cairn::formats::megatron {

/// The model parallel layout from `args`, an argparse.Namespace in every rank's file. Sizes that
/// are not recorded are empty. Source: Megatron-LM megatron/training/arguments.py.
struct Layout {
    std::uint32_t tensor = 1; ///< number of ranks of each kind
    std::uint32_t pipeline = 1;
    std::uint32_t expert = 1;
    std::uint32_t chunks = 1; ///< virtual stages per pipeline rank
    bool expertsShareTensorRanks =
        true;                      ///< experts use the same tensor parallelism as other layers
    std::optional<double> version; ///< checkpoint_version; empty: before it existed
    std::optional<std::int64_t> layers;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> groups; ///< query groups; empty: one per head
    std::optional<std::int64_t> headSize;
    std::optional<std::int64_t> vocabulary; ///< padded vocabulary size
    std::optional<std::int64_t> experts;
    std::optional<std::int64_t> inner; ///< ffn_hidden_size: input size of an MLP's second layer
    std::optional<std::int64_t> expertInner; ///< the same for routed experts, if different
    std::optional<std::int64_t> sharedInner; ///< the same for all shared experts together

    [[nodiscard]] std::uint64_t ranks() const { return std::uint64_t{tensor} * pipeline * expert; }
    [[nodiscard]] std::uint64_t stages() const { return std::uint64_t{pipeline} * chunks; }
};

inline constexpr std::int64_t kMostRanks = 65536; ///< limit for each kind

/// Empty: there are no args, or they do not record a valid layout. Pure.
std::optional<Layout> readLayout(const Value& root);

} // namespace cairn::formats::megatron
