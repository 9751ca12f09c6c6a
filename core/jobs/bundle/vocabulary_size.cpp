// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/vocabulary_size.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"

#include <algorithm>

/// Formats: tokenizer.json of the library tokenizers (BPE, WordPiece, WordLevel: an object;
/// Unigram: a list), vocab.json and added_tokens.json of transformers' slow tokenizers.
namespace cairn {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 31U;

std::optional<JsonValue> documentOf(std::span<const Sidecar> sidecars, std::string_view name) {
    const auto found = std::ranges::find(sidecars, name, &Sidecar::name);
    if (found == sidecars.end()) {
        return std::nullopt;
    }
    auto document = parseJson(asText(found->bytes), name);
    return document ? std::optional(std::move(*document)) : std::nullopt;
}

void take(std::int64_t& size, const JsonValue* id) {
    const auto number = id != nullptr ? id->asInteger() : Result<std::int64_t>(-1);
    if (number && *number >= 0 && *number < kMost) {
        size = std::max(size, *number + 1);
    }
}

/// {"token": id, …}
void takeMembers(std::int64_t& size, const JsonValue* object) {
    for (const JsonMember& member :
         object != nullptr ? object->members() : std::span<const JsonMember>()) {
        take(size, &member.value);
    }
}

} // namespace

std::optional<std::int64_t> vocabularySize(std::span<const Sidecar> sidecars) {
    std::int64_t size = 0;
    if (const auto tokenizer = documentOf(sidecars, "tokenizer.json")) {
        const JsonValue* model = tokenizer->find("model");
        const JsonValue* vocabulary = model != nullptr ? model->find("vocab") : nullptr;
        takeMembers(size, vocabulary);
        if (vocabulary != nullptr) {
            size = std::max(size, static_cast<std::int64_t>(vocabulary->elements().size()));
        }
        const JsonValue* added = tokenizer->find("added_tokens");
        for (const JsonValue& token :
             size > 0 && added != nullptr ? added->elements() : std::span<const JsonValue>()) {
            take(size, token.find("id"));
        }
    } else if (const auto plain = documentOf(sidecars, "vocab.json")) {
        takeMembers(size, &*plain);
        const auto added = documentOf(sidecars, "added_tokens.json");
        takeMembers(size, added && size > 0 ? &*added : nullptr);
    }
    return size > 0 ? std::optional(size) : std::nullopt;
}

} // namespace cairn
