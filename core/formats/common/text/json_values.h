// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/io/byte_source.h"
#include "core/model/value.h"

namespace cairn {

/// Converts JSON to plain values: objects become dicts (the last of repeated keys is kept, as in
/// Python), integers beyond int64_t become BigInt. Depth is limited by the parser.
Value valueFromJson(const JsonValue& json);

/// Reads a small JSON file and parses it tolerantly. Fails as parseJson(), and with LimitExceeded
/// beyond `limit` bytes. `sink`: see parseJson(); may be null.
Result<JsonValue> readJsonFile(const ByteSource& source, std::uint64_t limit,
                               const JsonMemberSink* sink = nullptr);

/// The same of a file that may not have opened: fails as that did.
Result<JsonValue> readJsonFile(const Result<ByteSourcePtr>& source, std::uint64_t limit);

} // namespace cairn
