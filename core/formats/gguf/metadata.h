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

/// Types of metadata values (the format's own numbers).
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

/// One key and where its value is.
struct MetaItem {
    std::string key;
    MetaType type{};
    std::uint64_t offset = 0; ///< of the value, after its type
};

/// Goes over one key and its value without keeping the value; arrays of hundreds of thousands of
/// texts are only walked over. Fails with GgufBadMetadata, Truncated, LimitExceeded: after what
/// cannot be understood nothing can be found.
Result<MetaItem> scanItem(HeaderCursor& cursor);

/// The value of an item. Integers are exact (beyond int64: BigInt). Arrays become lists up to
/// `budget` values altogether; what does not fit is a text that states what exists. The cursor may
/// stand anywhere before the value.
Result<Value> readItem(HeaderCursor& cursor, const MetaItem& item, std::uint64_t& budget,
                       const CancelToken& cancel);

/// How many values all arrays of a header of `bytes` may become, so that a small file cannot fill
/// the memory.
std::uint64_t valueBudget(std::uint64_t bytes);

} // namespace cairn::formats::gguf
