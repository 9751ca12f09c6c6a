// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dims.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Parsers for the messages in the keys and values of a checkpoint's table. Pure; nothing here
/// reads a file. Sources: tensorflow/core/protobuf/tensor_bundle.proto,
/// core/framework/{types,tensor_shape,tensor_slice,versions}.proto,
/// core/util/saved_tensor_slice_util.cc, core/lib/strings/ordered_code.cc.
namespace cairn::formats::tensorflow {

/// The DataType of types.proto that needs special handling.
inline constexpr std::uint32_t kDtString = 7;
inline constexpr std::uint32_t kDtResource = 20;
inline constexpr std::uint32_t kDtVariant = 21;

/// The element type of a DataType, or of a reference type (+ 100); empty: no element type.
std::optional<Dtype> dtypeOf(std::uint32_t dataType);

/// The DataType of an element type; empty: TensorFlow has none.
std::optional<std::uint32_t> dataTypeOf(Dtype dtype);

/// "resource", "variant", "DataType 77": for messages about types without elements.
std::string dataTypeName(std::uint32_t dataType);

/// BundleHeaderProto, the value of the key "".
struct BundleHeader {
    std::uint64_t shards = 0;
    bool bigEndian = false;
    std::uint64_t producer = 0; ///< from VersionDef
    std::uint64_t minConsumer = 0;
};
std::optional<BundleHeader> parseHeader(std::span<const std::byte> message);

/// One dimension of a TensorSliceProto; a negative length means all of it.
struct Extent {
    std::int64_t start = 0;
    std::int64_t length = -1;
};
using Slice = std::vector<Extent>;

/// BundleEntryProto.
struct BundleEntry {
    std::uint32_t dataType = 0;
    Shape shape;
    bool shapeIsBad = false; ///< unknown rank, negative extents, or more than kMaxRank dimensions
    std::uint64_t shard = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::optional<std::uint32_t> crc32c; ///< unmasked, of the stored bytes
    std::vector<Slice>
        slices; ///< if not empty: the variable is partitioned and stored as these slices
};
/// Empty: the message is damaged, or has more than kMaxSlices slices.
std::optional<BundleEntry> parseEntry(std::span<const std::byte> message);
inline constexpr std::size_t kMaxSlices = 1'000'000;

/// TensorShapeProto. Empty: damaged; `bad` marks an invalid shape.
struct ParsedShape {
    Shape shape;
    bool bad = false;
};
std::optional<ParsedShape> parseShape(std::span<const std::byte> message);
std::optional<Slice> parseSlice(std::span<const std::byte> message);

/// The box of a slice in a tensor; empty: the rank differs, or it is outside.
std::optional<Box> boxOf(const Slice& slice, const Shape& shape);

/// The key of one slice of a partitioned variable: EncodeTensorNameSlice().
struct SliceKey {
    std::string name;
    Slice slice;
};
/// True for keys of slices, which start with an ordered 0.
inline bool isSliceKey(std::string_view key) {
    return !key.empty() && key.front() == '\0';
}
std::optional<SliceKey> parseSliceKey(std::string_view key);

} // namespace cairn::formats::tensorflow
