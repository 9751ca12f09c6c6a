// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/formats/numpy_shards/manifest.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

/// Small readings of JSON values. Private to this folder.
namespace cairn::formats::numpy_shards {

using Words = std::initializer_list<std::string_view>;

/// The value under the first of the words that is there and not null.
inline const JsonValue* findAny(const JsonValue& json, Words words) {
    for (const std::string_view word : words) {
        const JsonValue* found = json.find(word);
        if (found != nullptr && !found->isNull()) {
            return found;
        }
    }
    return nullptr;
}

inline std::string textAt(const JsonValue& json, Words words) {
    for (const std::string_view word : words) {
        const JsonValue* found = json.find(word);
        if (found != nullptr && found->kind() == JsonKind::String) {
            return std::string(*found->asString());
        }
    }
    return {};
}

inline std::optional<std::int64_t> integerOf(const JsonValue* json) {
    const bool number = json != nullptr && json->kind() == JsonKind::Integer;
    return number ? std::optional(*json->asInteger()) : std::nullopt;
}

inline std::optional<std::int64_t> integerAt(const JsonValue& json, Words words) {
    for (const std::string_view word : words) {
        if (const auto value = integerOf(json.find(word))) {
            return value;
        }
    }
    return std::nullopt;
}

/// A list of non-negative whole numbers, at most kMaxRank.
std::optional<Dims> dimsOf(const JsonValue* json);

/// The box of a part in any of its spellings; fills what it finds.
void readBox(const JsonValue& json, ManifestPart& part);

/// A tensor's own words (dtype, shape, axis, grid, replicated). `inFile`: the words stand with one
/// file, where "shape" means the part.
void readTensorWords(const JsonValue& json, ManifestTensor& tensor, bool inFile);

/// A part's words (file, key, offset, shape, rank …). `alone`: the words stand with the tensor
/// itself, where "shape" means the whole.
ManifestPart readPart(const JsonValue& json, bool alone);

/// An axis: a number, "row", "column", "replicated" (true in `replicated`).
std::optional<std::int64_t> readAxis(const JsonValue& json, bool& replicated);

} // namespace cairn::formats::numpy_shards
