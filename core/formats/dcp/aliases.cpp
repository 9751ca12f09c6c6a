// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/aliases.h"

#include "core/formats/dcp/index.h"

#include <algorithm>
#include <unordered_map>

namespace cairn::formats::dcp {
namespace {

bool sameItems(const TensorEntry& a, const TensorEntry& b) {
    return a.dtype == b.dtype && a.shape == b.shape &&
           std::ranges::equal(a.pieces, b.pieces, [](const Piece& left, const Piece& right) {
               return left.file == right.file && left.bytes == right.bytes && left.box == right.box;
           });
}

} // namespace

void markAliases(std::span<TensorEntry> tensors) {
    std::unordered_map<std::uint64_t, TensorIndex> firstAt;
    firstAt.reserve(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        TensorEntry& tensor = tensors[i];
        // Of chunks in a safetensors blob the index names the blob only, which many share.
        if (tensor.pieces.empty() || tensor.pieces.front().codec == kBlobCodec) {
            continue;
        }
        const Piece& first = tensor.pieces.front();
        const std::uint64_t key =
            first.bytes.offset ^ (std::uint64_t{first.file.value} << 40U); // checked below
        const auto [known, fresh] = firstAt.try_emplace(key, TensorIndex(i));
        if (!fresh && sameItems(tensors[known->second.position()], tensor)) {
            tensor.aliasOf = known->second;
        }
    }
}

} // namespace cairn::formats::dcp
