// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/buffers/buffers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Metadata of Zarr 2 and 3 arrays, as far as TensorStore writes them. Sources: zarr-specs v2 and
/// v3, tensorstore's zarr and zarr3 drivers, files of 0.1.86.
namespace cairn::zarr {

inline constexpr std::size_t kMaxRank = 64;

/// The element type under its usual name ("float32", "bfloat16"; "int4" takes one byte).
struct ElementType {
    std::string name;
    std::uint32_t bytes = 1;
    bool bigEndian = false;
};

/// Encoding of a chunk: dense elements, compressed, optionally followed by a CRC-32C.
struct ChunkEncoding {
    Compression compression = Compression::None;
    bool crc32c = false;
    friend bool operator==(const ChunkEncoding&, const ChunkEncoding&) = default;
};

/// Zarr 3 sharding: a stored chunk holds a grid of inner chunks and an index of (offset, length).
struct Sharding {
    std::vector<std::int64_t> grid; ///< inner chunks per stored chunk, for each dimension
    bool indexAtEnd = true;
    bool indexCrc32c = false;
    friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// How the keys of chunks are written; several, as bits, where a key fits them all.
enum ChunkKeys : std::uint8_t {
    kDotted = 1,          ///< "0.1"
    kSlashed = 2,         ///< "0/1"
    kPrefixedDots = 4,    ///< "c.0.1"
    kPrefixedSlashes = 8, ///< "c/0/1"
};

/// One array. All extents are positive, except that those of `shape` may be 0; products do not
/// overflow.
struct ArrayInfo {
    int version = 2;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> chunk; ///< shape of a stored chunk
    std::vector<std::int64_t> inner; ///< shape of an encoded chunk: `chunk` unless sharded
    ElementType type;
    bool fortran = false; ///< an encoded chunk is in column-major order
    ChunkEncoding encoding;
    std::optional<Sharding> sharding;
    std::uint8_t keys = kDotted | kSlashed; ///< ChunkKeys, one of these
    std::vector<std::byte> fill;            ///< one element, in the stored byte order
    bool hasFill = false; ///< false: "fill_value" is null or absent; `fill` is zero

    [[nodiscard]] std::uint64_t innerBytes() const; ///< decoded size of an encoded chunk
};

/// Parses a a `.zarray` (version 2) or `zarr.json` (version 3). `name` is for messages. Fails:
/// ZarrBadMetadata, JsonSyntax and the like, Unsupported (filters, codecs, unknown types),
/// LimitExceeded.
Result<ArrayInfo> parseArrayInfo(std::string_view text, int version, std::string_view name);

/// The `.zarray` of an array (version 2) without compression and fill value, in C order,
/// little-endian. `type`: ElementType::name. Empty: unknown, or TensorStore does not read it.
std::string arrayText(std::string_view type, std::span<const std::int64_t> shape,
                      std::span<const std::int64_t> chunk);

/// The indices in a chunk's key after the array's name: "0.1", "0" (version 2), "c/0/1", "c"
/// (version 3); also "0/1" of version 2 and "c.0.1". `forms`: the ChunkKeys that the key fits.
/// False: not a chunk key.
bool parseChunkKey(std::string_view key, std::vector<std::int64_t>& indices, std::uint8_t& forms);

} // namespace cairn::zarr
