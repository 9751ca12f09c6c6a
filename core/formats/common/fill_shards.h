// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace cairn::formats {

/// Fills shards with tensors in the given order, as transformers and llama.cpp do: a shard ends
/// before the tensor that would take it past `maxBytes`, and a larger tensor has one of its own. 0:
/// one shard takes all. A Shard has `tensors` and `bytes`, a tensor `bytes`.
template <class Shard, class Tensor>
std::vector<Shard> fillShards(std::vector<Tensor> tensors, std::uint64_t maxBytes) {
    std::vector<Shard> shards(1);
    for (Tensor& tensor : tensors) {
        const bool full =
            maxBytes != 0 && !shards.back().tensors.empty() &&
            (tensor.bytes > maxBytes || shards.back().bytes > maxBytes - tensor.bytes);
        if (full) {
            shards.emplace_back();
        }
        shards.back().bytes += tensor.bytes;
        shards.back().tensors.push_back(std::move(tensor));
    }
    return shards;
}

} // namespace cairn::formats
