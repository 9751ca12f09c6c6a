// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "core/base/cancel_token.h"
#include "core/base/error.h"
#include "core/model/checkpoint.h"
#include "core/model/dims.h"

#include <span>
#include <string_view>
#include <vector>

/// The only definition of the core's types in JSON (see cli.md).
namespace cairn::cli {

/// {"code", "message", "where": {"file", "offset", "tensor"}, "found", "expected", "hint"}; unknown
/// parts are null.
void writeError(JsonWriter& json, const Error& error);

/// An error with its severity.
void writeNotice(JsonWriter& json, const Notice& notice);
void writeNotices(JsonWriter& json, std::string_view name, std::span<const Notice> notices);

void writeDims(JsonWriter& json, const Dims& dims);

/// [{"path", "bytes", "missing"?}]
void writeFiles(JsonWriter& json, std::string_view name, const Checkpoint& checkpoint);

/// {"tensors", "bytes", "stored_bytes", "by_dtype", "by_role"}
void writeTotals(JsonWriter& json, std::string_view name, const Totals& totals);

/// A value: containers nest; tuples and sets are arrays; integers beyond 64 bits are decimal
/// strings; bytes are {"$bytes": length, "base64"?: up to kMaxBase64 bytes}; objects {"$class",
/// "$state"}. A 0-d tensor becomes its number; other tensors are omitted, with containers that
/// contain nothing else (inside lists they are {"$tensor": name}, so that positions are preserved).
/// After kMaxNodes values the rest is {"$truncated": true}.
void writeValue(JsonWriter& json, const Value& value, const Checkpoint& checkpoint,
                const CancelToken& cancel);
inline constexpr std::size_t kMaxBase64 = 4096;
inline constexpr std::size_t kMaxNodes = 1'000'000;
inline constexpr std::size_t kMaxScalarTensors = 100'000; ///< limit for reading their numbers

} // namespace cairn::cli
