// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/msgpack/msgpack.h"
#include "core/model/checkpoint.h"

/// Private to this folder.
namespace cairn::flax {

inline constexpr std::int8_t kArray = 1;
inline constexpr std::int8_t kComplex = 2;
inline constexpr std::int8_t kScalar = 3;
inline constexpr std::string_view kChunkedKey = "__msgpack_chunked_array__";

/// Reads an extension's payload, (shape, dtype name, bytes), as a tensor without a name. The reader
/// continues after the extension. Fails: FlaxBadArray, Unsupported (dtype), Truncated.
Result<TensorEntry> readArray(msgpack::Reader& reader, const msgpack::Token& extension,
                              FileIndex file);

/// A Python complex number: (real, imaginary).
Result<Value> readComplex(msgpack::Reader& reader, const msgpack::Token& extension);

/// Whether a map represents a chunked array; joinChunks() below makes the array from its flat
/// chunks. `chunks`: the tensors that the map's values refer to; the first one has the number
/// `first`.
bool isChunkedArray(const std::vector<ValueItem>& map);
Result<TensorEntry> joinChunks(const std::vector<ValueItem>& map,
                               const std::vector<TensorEntry>& tensors, std::size_t first);

} // namespace cairn::flax
