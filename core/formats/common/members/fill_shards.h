// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace cairn::formats {

/// Distributes tensors to shards in the given order, as transformers and llama.cpp do: a shard ends
/// before the tensor that would make it exceed `maxBytes`, and a larger tensor gets a separate
/// shard. 0: a single shard. A Shard has `tensors` and `bytes`, a tensor `bytes`.
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
