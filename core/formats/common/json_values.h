// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/io/byte_source.h"
#include "core/model/value.h"

namespace cairn {

/// The same tree as plain values: objects become dicts (of a repeated key the last stays, as in
/// Python), integers beyond int64_t become BigInt. Depth is bounded by the parser's limit.
Value valueFromJson(const JsonValue& json);

/// Reads a small JSON file whole and parses it tolerantly. Fails as parseJson(), and LimitExceeded
/// beyond `limit` bytes.
/// `sink`: as parseJson() has it; may be null.
Result<JsonValue> readJsonFile(const ByteSource& source, std::uint64_t limit,
                               const JsonMemberSink* sink = nullptr);

/// The same of a file that may not have opened: fails as that did.
Result<JsonValue> readJsonFile(const Result<ByteSourcePtr>& source, std::uint64_t limit);

} // namespace cairn
