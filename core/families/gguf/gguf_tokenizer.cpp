// SPDX-License-Identifier: Apache-2.0
//
// Tokens, their scores and types. A SentencePiece model is read itself if it is there. From
// tokenizer.json alone its scores follow from the order of the merges (the converter writes the
// same score for all, with which llama.cpp merges other pieces than the tokenizer does).
#include "core/families/gguf/gguf_settings.h"
#include "core/families/gguf/gguf_vocabulary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

constexpr std::int64_t kMostTokens = 1 << 24;
constexpr float kAddedScore = -1000;
constexpr float kPaddedScore = -10000;

Result<std::optional<JsonValue>> parsedFile(const ModelFiles& files, std::string_view name) {
    const std::string_view text = files(name);
    if (text.empty()) {
        return std::optional<JsonValue>();
    }
    CAIRN_TRY(JsonValue document, parseJson(text, name));
    return std::optional(std::move(document));
}

/// Some tokens are not marked as special that models mean as such.
bool looksSpecial(std::string_view text) {
    static constexpr std::array<std::string_view, 4> kTexts = {"<pad>", "<mask>", "<2mass>",
                                                               "[@BOS@]"};
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kEnds = {
        {{"<|", "|>"}, {"<\xEF\xBD\x9C", "\xEF\xBD\x9C>"}, {"<unused", ">"}}};
    return std::ranges::find(kTexts, text) != kTexts.end() ||
           std::ranges::any_of(kEnds, [text](const auto& each) {
               return text.starts_with(each.first) && text.ends_with(each.second);
           });
}

/// Tokens of users, in which SentencePiece's space is one.
std::string withSpaces(std::string_view text) {
    constexpr std::string_view kSpace = "\xE2\x96\x81"; // U+2581
    std::string made;
    while (!text.empty()) {
        const std::size_t at = std::min(text.find(kSpace), text.size());
        made += text.substr(0, at);
        made += at < text.size() ? " " : "";
        text.remove_prefix(std::min(text.size(), at + kSpace.size()));
    }
    return made;
}

std::string padding(std::size_t id) {
    return "[PAD" + std::to_string(id) + "]";
}

GgufToken addedToken(std::string_view text, bool special, bool asWritten) {
    const bool control = special || (!asWritten && looksSpecial(text));
    return {control || asWritten ? std::string(text) : withSpaces(text), kAddedScore,
            control ? TokenType::Control : TokenType::UserDefined};
}

std::span<const JsonValue> addedTokens(const TokenizerFiles& parsed) {
    const JsonValue* added = parsed.tokenizer ? parsed.tokenizer->find("added_tokens") : nullptr;
    return added != nullptr ? added->elements() : std::span<const JsonValue>();
}

std::span<const JsonMember> vocabularyOf(const TokenizerFiles& parsed) {
    const JsonValue* model = parsed.tokenizer ? parsed.tokenizer->find("model") : nullptr;
    const JsonValue* vocabulary = model != nullptr ? model->find("vocab") : nullptr;
    return vocabulary != nullptr ? vocabulary->members() : std::span<const JsonMember>();
}

Error outOfRange(std::string_view file, std::string_view text, std::int64_t id,
                 std::size_t tokens) {
    return fail(ErrorCode::Unsupported, "The tokenizer has more tokens than the model")
        .inFile(std::string(file))
        .butFound(sentence("token %1, %2", id, text.substr(0, 40)))
        .expecting(sentence("fewer than %1 (vocab_size)", tokens));
}

/// The vocabulary of tokenizer.json by number; false: of a number that is not below `tokens`.
Result<std::vector<std::optional<GgufToken>>> tokensById(const TokenizerFiles& parsed,
                                                         std::size_t tokens) {
    std::vector<std::optional<GgufToken>> all(tokens);
    for (const JsonMember& member : vocabularyOf(parsed)) {
        const auto id = member.value.asInteger();
        if (!id || *id < 0 || std::cmp_greater_equal(*id, tokens)) {
            return outOfRange("tokenizer.json", member.key, id ? *id : -1, tokens);
        }
        all[static_cast<std::size_t>(*id)] = GgufToken{member.key, 0, TokenType::Normal};
    }
    return all;
}

/// Tokens of a byte-pair tokenizer.
Result<std::vector<GgufToken>> bytePairTokens(const TokenizerFiles& parsed, std::size_t tokens) {
    CAIRN_TRY(auto known, tokensById(parsed, tokens));
    for (const JsonValue& each : addedTokens(parsed)) {
        const std::string_view text = textOf(&each, "content");
        const auto id = integerOf(&each, "id");
        if (!id || *id < 0 || std::cmp_greater_equal(*id, tokens)) {
            return outOfRange("tokenizer.json", text, id.value_or(-1), tokens);
        }
        known[static_cast<std::size_t>(*id)] = addedToken(text, isTrue(&each, "special"), false);
    }
    std::vector<GgufToken> all;
    for (std::size_t i = 0; i < tokens; ++i) {
        all.push_back(known[i] ? std::move(*known[i])
                               : GgufToken{padding(i), kPaddedScore, TokenType::Unused});
    }
    return all;
}

/// Overwrites tokens; those beyond the vocabulary are ignored, as by the converter.
void overlay(std::vector<GgufToken>& tokens, std::optional<std::int64_t> id, GgufToken token) {
    if (id && *id >= 0 && std::cmp_less(*id, tokens.size())) {
        tokens[static_cast<std::size_t>(*id)] = std::move(token);
    }
}

/// Tokens of tokenizer.model, and those that were added to it. `asWritten`: Phi-3's rules.
Result<std::vector<GgufToken>> pieceTokens(const TokenizerFiles& parsed, std::size_t count,
                                           bool asWritten) {
    CAIRN_TRY(std::vector<GgufToken> tokens, readSentencePieces(parsed.pieces));
    const std::size_t stored = std::min(tokens.size(), count);
    tokens.resize(count);
    for (std::size_t i = stored; i < count; ++i) {
        tokens[i] = {padding(i), kPaddedScore, TokenType::Unused};
    }
    if (parsed.added) {
        for (const JsonMember& member : parsed.added->members()) {
            const auto id = member.value.asInteger();
            overlay(tokens, id ? std::optional(*id) : std::nullopt,
                    {member.key, kAddedScore, TokenType::UserDefined});
        }
    }
    const JsonValue* decoder =
        parsed.settings ? parsed.settings->find("added_tokens_decoder") : nullptr;
    for (const JsonMember& member :
         decoder != nullptr ? decoder->members() : std::span<const JsonMember>()) {
        std::int64_t id = -1;
        std::from_chars(member.key.data(), member.key.data() + member.key.size(), id);
        overlay(tokens, id,
                addedToken(textOf(&member.value, "content"), isTrue(&member.value, "special"),
                           asWritten));
    }
    for (const JsonValue& each : asWritten ? addedTokens(parsed) : std::span<const JsonValue>()) {
        overlay(tokens, integerOf(&each, "id"),
                addedToken(textOf(&each, "content"), isTrue(&each, "special"), true));
    }
    return tokens;
}

bool isByte(std::string_view text) {
    return text.size() == 6 && text.starts_with("<0x") && text.back() == '>' &&
           std::isxdigit(static_cast<unsigned char>(text[3])) != 0 &&
           std::isxdigit(static_cast<unsigned char>(text[4])) != 0;
}

/// Scores of pieces by the first merge that gives them.
std::unordered_map<std::string, float> mergeScores(const TokenizerFiles& parsed) {
    std::unordered_map<std::string, float> scores;
    const JsonValue* merges = parsed.tokenizer->find("model")->find("merges");
    float rank = 0;
    for (const JsonValue& each :
         merges != nullptr ? merges->elements() : std::span<const JsonValue>()) {
        const auto pair = each.elements();
        std::string piece;
        if (const auto text = each.asString()) {
            const std::size_t space = text->find(' ');
            piece = std::string(text->substr(0, space)) +
                    std::string(space == text->npos ? "" : text->substr(space + 1));
        } else if (pair.size() == 2 && pair[0].asString() && pair[1].asString()) {
            piece = std::string(*pair[0].asString()) + std::string(*pair[1].asString());
        }
        if (scores.emplace(std::move(piece), rank).second) {
            rank -= 1;
        }
    }
    return scores;
}

/// Tokens of a SentencePiece tokenizer that was saved as tokenizer.json only. `asWritten`: the
/// texts of added tokens are, as the converter does for Llama.
Result<std::vector<GgufToken>> convertedPieces(const TokenizerFiles& parsed, std::size_t count,
                                               bool asWritten) {
    CAIRN_TRY(auto known, tokensById(parsed, count));
    const std::unordered_map<std::string, float> scores = mergeScores(parsed);
    std::vector<GgufToken> tokens;
    for (std::size_t i = 0; i < count; ++i) {
        GgufToken token = known[i] ? std::move(*known[i])
                                   : GgufToken{padding(i), kPaddedScore, TokenType::Unused};
        if (token.type == TokenType::Normal) {
            const auto score = scores.find(token.text);
            token.type = isByte(token.text) ? TokenType::Byte : TokenType::Normal;
            token.score = score != scores.end() ? score->second : kAddedScore;
        }
        tokens.push_back(std::move(token));
    }
    for (const JsonValue& each : addedTokens(parsed)) {
        const auto id = integerOf(&each, "id");
        if (!id || *id < 0 || std::cmp_greater_equal(*id, count)) {
            return outOfRange("tokenizer.json", textOf(&each, "content"), id.value_or(-1), count);
        }
        overlay(tokens, id,
                addedToken(textOf(&each, "content"), isTrue(&each, "special"), asWritten));
    }
    return tokens;
}

bool isConvertedPieces(const JsonValue& tokenizer) {
    const JsonValue* model = tokenizer.find("model");
    return textOf(model, "type") == "BPE" && isTrue(model, "byte_fallback") &&
           textOf(tokenizer.find("decoder"), "type") == "Sequence";
}

void writeTokens(std::string_view model, std::string_view pre, std::vector<GgufToken> tokens,
                 bool scored, std::vector<ValueItem>& metadata) {
    std::vector<Value> texts;
    std::vector<Value> scores;
    std::vector<Value> types;
    for (GgufToken& token : tokens) {
        texts.emplace_back(std::move(token.text));
        scores.emplace_back(static_cast<double>(token.score));
        types.emplace_back(static_cast<std::int64_t>(token.type));
    }
    metadata.push_back({Value("tokenizer.ggml.model"), Value(model)});
    metadata.push_back({Value("tokenizer.ggml.pre"), Value(pre)});
    metadata.push_back({Value("tokenizer.ggml.tokens"), Value::list(std::move(texts))});
    if (scored) {
        metadata.push_back({Value("tokenizer.ggml.scores"), Value::list(std::move(scores))});
    }
    metadata.push_back({Value("tokenizer.ggml.token_type"), Value::list(std::move(types))});
}

Error missing(std::string_view name) {
    return fail(ErrorCode::NotFound, "llama.cpp needs a tokenizer, which is not beside the model")
        .expecting(verbatim(std::string(name)))
        .withHint("--like FOLDER names the folder that has it; --names keep writes the tensors "
                  "alone");
}

Result<void> writeBytePairs(const TokenizerFiles& parsed, const ModelFiles& files,
                            const ModelConfig& settings, std::size_t count,
                            std::vector<ValueItem>& metadata) {
    if (!parsed.tokenizer) {
        return missing("tokenizer.json");
    }
    const JsonValue* model = parsed.tokenizer->find("model");
    if (textOf(model, "type") != "BPE" || isTrue(model, "byte_fallback")) {
        return fail(ErrorCode::Unsupported, "llama.cpp does not have this kind of tokenizer")
            .inFile("tokenizer.json")
            .butFound(sentence("%1%2", textOf(model, "type"),
                               isTrue(model, "byte_fallback") ? Sentence(", byte_fallback") : ""))
            .expecting("byte pairs, or a tokenizer.model");
    }
    CAIRN_TRY(const std::string_view pre, ggufPreTokenizer(*parsed.tokenizer));
    CAIRN_TRY(std::vector<GgufToken> tokens, bytePairTokens(parsed, count));
    writeTokens("gpt2", pre, std::move(tokens), false, metadata);
    describeSpecialTokens(parsed, files, settings, 0, true, metadata);
    return {};
}

} // namespace

std::string_view textOf(const JsonValue* object, std::string_view key) {
    const JsonValue* value = object != nullptr ? object->find(key) : nullptr;
    const auto text = value != nullptr ? value->asString() : std::string_view();
    return text ? *text : std::string_view();
}

bool isTrue(const JsonValue* object, std::string_view key) {
    const JsonValue* value = object != nullptr ? object->find(key) : nullptr;
    return value != nullptr && value->kind() == JsonKind::Bool && *value->asBool();
}

std::optional<std::int64_t> integerOf(const JsonValue* object, std::string_view key) {
    const JsonValue* value = object != nullptr ? object->find(key) : nullptr;
    if (value == nullptr || value->kind() != JsonKind::Integer) {
        return std::nullopt;
    }
    return *value->asInteger();
}

Result<void> describeGgufTokenizer(const GgufFamily& family, const ModelConfig& settings,
                                   const ModelFiles& files, GgufDescription& description) {
    TokenizerFiles parsed;
    CAIRN_TRY(parsed.tokenizer, parsedFile(files, "tokenizer.json"));
    CAIRN_TRY(parsed.settings, parsedFile(files, "tokenizer_config.json"));
    CAIRN_TRY(parsed.added, parsedFile(files, "added_tokens.json"));
    parsed.pieces = files("tokenizer.model");
    description.tokens = settings.integer("vocab_size").value_or(0);
    if (description.tokens > kMostTokens) {
        return fail(ErrorCode::LimitExceeded, "The vocabulary is too large")
            .inFile("config.json")
            .inField("vocab_size")
            .butFound(verbatim(std::to_string(description.tokens)));
    }
    const auto count = static_cast<std::size_t>(description.tokens);
    std::vector<ValueItem>& metadata = description.metadata;
    const bool isLlama = family.architecture == "llama";
    const JsonValue* space = parsed.settings ? parsed.settings->find("add_prefix_space") : nullptr;
    if (isLlama && space != nullptr && space->kind() == JsonKind::Bool) {
        metadata.push_back({Value("tokenizer.ggml.add_space_prefix"), Value(*space->asBool())});
    }
    const bool isGpt2 =
        parsed.settings && textOf(&*parsed.settings, "tokenizer_class") == "GPT2Tokenizer";
    const bool usesPieces = family.vocabulary != GgufVocabulary::BytePairs &&
                            !(family.vocabulary == GgufVocabulary::PiecesOrGpt2 && isGpt2);
    const bool converted = usesPieces && parsed.pieces.empty() && parsed.tokenizer &&
                           isConvertedPieces(*parsed.tokenizer);
    if (!usesPieces ||
        (parsed.pieces.empty() && !converted && family.vocabulary != GgufVocabulary::Pieces)) {
        return writeBytePairs(parsed, files, settings, count, metadata);
    }
    if (parsed.pieces.empty() && !converted) {
        return missing("tokenizer.model");
    }
    const bool asWritten = family.vocabulary == GgufVocabulary::PiecesOrGpt2;
    CAIRN_TRY(std::vector<GgufToken> tokens, converted
                                                 ? convertedPieces(parsed, count, family.addsSpace)
                                                 : pieceTokens(parsed, count, asWritten));
    writeTokens("llama", "default", std::move(tokens), true, metadata);
    describeSpecialTokens(parsed, files, settings, count, false, metadata);
    if (!family.addsSpace) {
        metadata.push_back({Value("tokenizer.ggml.add_space_prefix"), Value(false)});
    }
    return {};
}

} // namespace cairn
