// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/json/json_value.h"
#include "core/families/gguf/gguf.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Internal to the GGUF files of this room: tokens as llama.cpp has them.
namespace cairn {

/// Values of tokenizer.ggml.token_type; the first six are also those of SentencePiece.
enum class TokenType : std::uint8_t {
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6
};

struct GgufToken {
    std::string text;
    float score = 0;
    TokenType type = TokenType::Normal;
};

/// The parsed files of a tokenizer; those that are not there are empty.
struct TokenizerFiles {
    std::optional<JsonValue> tokenizer; ///< tokenizer.json
    std::optional<JsonValue> settings;  ///< tokenizer_config.json
    std::optional<JsonValue> added;     ///< added_tokens.json
    std::string_view pieces;            ///< tokenizer.model
};

/// The member as text, or empty.
std::string_view textOf(const JsonValue* object, std::string_view key);
bool isTrue(const JsonValue* object, std::string_view key);
std::optional<std::int64_t> integerOf(const JsonValue* object, std::string_view key);

/// The tokens of tokenizer.model. Fails with Unsupported: damaged, or its pieces are not merged by
/// score.
Result<std::vector<GgufToken>> readSentencePieces(std::string_view bytes);

/// `tokenizer.ggml.pre`: the name under which llama.cpp has the regular expressions of this
/// tokenizer.json. Fails with Unsupported if it has none that are the same.
Result<std::string_view> ggufPreTokenizer(const JsonValue& tokenizer);

/// Ids and settings of special tokens, merges (`withMerges`) and the chat template. Tokens with an
/// id of `tokens` or more are left out; 0: none are.
void describeSpecialTokens(const TokenizerFiles& parsed, const ModelFiles& files,
                           const ModelConfig& config, std::size_t tokens, bool withMerges,
                           std::vector<ValueItem>& metadata);

} // namespace cairn
