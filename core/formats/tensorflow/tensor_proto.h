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

/// Elements of a SavedSlice of V1 files, whose TensorProto (tensorflow/core/framework/tensor.proto)
/// holds them in a repeated field of its kind of numbers.
struct ProtoElements {
    std::optional<ByteRange> place; ///< in the message: they are there as they are
    std::vector<std::byte> decoded; ///< else
};

/// Takes `count` elements of `dtype` out of the value of a table's entry (SavedTensorSlices.data).
/// Strings come in the canonical form. Fails: BadEncoding (damaged, another number of elements).
Result<ProtoElements> readProtoElements(std::span<const std::byte> message, Dtype dtype,
                                        std::uint64_t count);

/// The same as a codec: a piece's bytes are the entry's value.
class TensorProtoCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "tensorflow.proto"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override;
};

} // namespace cairn::formats::tensorflow
