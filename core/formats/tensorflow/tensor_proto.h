// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::formats::tensorflow {

/// Elements of a SavedSlice in V1 files: its TensorProto (tensorflow/core/framework/tensor.proto)
/// contains them in a repeated field for each kind of number.
struct ProtoElements {
    std::optional<ByteRange> place; ///< range in the message with the elements' bytes
    std::vector<std::byte> decoded; ///< otherwise: the decoded elements
};

/// Reads `count` elements of `dtype` from the value of a table entry (SavedTensorSlices.data).
/// Strings get the canonical form. Fails: BadEncoding (damaged, or a different number of elements).
Result<ProtoElements> readProtoElements(std::span<const std::byte> message, Dtype dtype,
                                        std::uint64_t count);

/// The same as a codec: a piece's bytes are the value of the entry.
class TensorProtoCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "tensorflow.proto"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override;
};

} // namespace cairn::formats::tensorflow
