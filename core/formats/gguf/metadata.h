// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/formats/gguf/header_cursor.h"
#include "core/model/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::gguf {

/// Types of metadata values, with the numbers of the format.
enum class MetaType : std::uint32_t {
    Uint8,
    Int8,
    Uint16,
    Int16,
    Uint32,
    Int32,
    Float32,
    Bool,
    String,
    Array,
    Uint64,
    Int64,
    Float64
};

/// A key and the location of its value.
struct MetaItem {
    std::string key;
    MetaType type{};
    std::uint64_t offset = 0; ///< of the value, after its type
};

/// Moves past one key and its value without storing the value; arrays of hundreds of thousands of
/// texts are only skipped. Fails with GgufBadMetadata, Truncated, LimitExceeded: after an invalid
/// item no further item can be located.
Result<MetaItem> scanItem(HeaderCursor& cursor);

/// Reads the value of an item, from any cursor position before it. Integers are exact (beyond
/// int64: BigInt). Arrays become lists up to `budget` values in total; the rest is replaced by a
/// text that describes it.
Result<Value> readItem(HeaderCursor& cursor, const MetaItem& item, std::uint64_t& budget,
                       const CancelToken& cancel);

/// Limit on the values of all arrays in a header of `bytes`, so that a small file cannot fill the
/// memory.
std::uint64_t valueBudget(std::uint64_t bytes);

} // namespace cairn::formats::gguf
