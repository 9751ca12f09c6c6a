// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/aliases.h"

#include "core/base/position_table.h"
#include "core/formats/dcp/index.h"

#include <algorithm>
#include <utility>

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
    const auto placeOf = [](const Piece& piece) {
        return std::pair(piece.file, piece.bytes.offset);
    };
    PositionTable firstAt(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        TensorEntry& tensor = tensors[i];
        // For chunks in a safetensors blob the index names only the blob, which many chunks share.
        if (tensor.pieces.empty() || tensor.pieces.front().codec == kBlobCodec) {
            continue;
        }
        const Piece& first = tensor.pieces.front();
        const std::uint64_t hash =
            hashOf(first.bytes.offset ^ (std::uint64_t{first.file.value} << 40U));
        const std::size_t known =
            firstAt.add(hash, static_cast<std::uint32_t>(i), [&](std::uint32_t earlier) {
                return placeOf(tensors[earlier].pieces.front()) == placeOf(first);
            });
        if (known != i && sameItems(tensors[known], tensor)) {
            tensor.aliasOf = TensorIndex(known);
        }
    }
}

} // namespace cairn::formats::dcp
