// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"

#include <cstdint>
#include <optional>

namespace cairn::formats::megatron {

/// What `args`, an argparse.Namespace in every rank's file, describes how the model was cut. Sizes
/// that it does not record are nothing. Source: Megatron-LM megatron/training/arguments.py.
struct Layout {
    std::uint32_t tensor = 1; ///< ranks of each kind
    std::uint32_t pipeline = 1;
    std::uint32_t expert = 1;
    std::uint32_t chunks = 1;            ///< virtual stages of each pipeline rank
    bool expertsShareTensorRanks = true; ///< experts have the tensor parallelism of the rest
    std::optional<double> version;       ///< checkpoint_version; nothing: before there was one
    std::optional<std::int64_t> layers;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> groups; ///< of queries; nothing: as many as heads
    std::optional<std::int64_t> headSize;
    std::optional<std::int64_t> vocabulary; ///< padded
    std::optional<std::int64_t> experts;
    std::optional<std::int64_t> inner;       ///< ffn_hidden_size: what an MLP's second takes in
    std::optional<std::int64_t> expertInner; ///< of routed experts, where that differs
    std::optional<std::int64_t> sharedInner; ///< of all shared experts together

    [[nodiscard]] std::uint64_t ranks() const { return std::uint64_t{tensor} * pipeline * expert; }
    [[nodiscard]] std::uint64_t stages() const { return std::uint64_t{pipeline} * chunks; }
};

inline constexpr std::int64_t kMostRanks = 65536; ///< of one kind

/// Nothing: there are no args, or they do not record the layout or show nonsense. Pure.
std::optional<Layout> readLayout(const Value& root);

} // namespace cairn::formats::megatron
