// SPDX-License-Identifier: Apache-2.0
#include "core/families/gguf/gguf_vocabulary.h"

#include <algorithm>
#include <array>

/// llama.cpp has the regular expressions of each byte-pair tokenizer under a name. The converter
/// finds the name by tokenizing a text with the complete vocabulary; here it follows from the
/// expressions themselves. Each row was compared with llama.cpp's own tokens for texts of all kinds
/// (tests/interop/test_gguf_models.py).
namespace cairn {
namespace {

struct PreTokenizerRow {
    std::string_view name;  ///< as llama.cpp calls it
    std::string_view steps; ///< of the pre-tokenizer, one a line
    bool ignoresMerges;     ///< a token that is in the vocabulary is not divided
};

constexpr std::string_view kGpt2Steps = "bytes regex";
constexpr std::string_view kSmolSteps = "digits\nbytes regex";
constexpr std::string_view kLlama3Steps =
    R"(split (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
bytes)";
constexpr std::string_view kQwen2Steps =
    R"(split (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
bytes)";
constexpr std::string_view kTekkenSteps =
    R"(split [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
bytes)";
constexpr std::string_view kGpt4oSteps =
    R"(split [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
bytes)";

constexpr auto kPreTokenizers = std::to_array<PreTokenizerRow>({
    {"gpt-2", kGpt2Steps, false},
    {"smollm", kSmolSteps, false},
    {"llama-bpe", kLlama3Steps, true},
    {"dbrx", kLlama3Steps, false},
    {"qwen2", kQwen2Steps, false},
    {"tekken", kTekkenSteps, true},
    {"gpt-4o", kGpt4oSteps, false},
});

/// One line for each step; "?" for one that llama.cpp does not have.
std::string stepsOf(const JsonValue& step) {
    const std::string_view type = textOf(&step, "type");
    if (type == "Sequence") {
        const JsonValue* inner = step.find("pretokenizers");
        std::string all;
        for (const JsonValue& each :
             inner != nullptr ? inner->elements() : std::span<const JsonValue>()) {
            const bool nested = textOf(&each, "type") == "Sequence";
            all += (all.empty() ? "" : "\n") + (nested ? std::string("?") : stepsOf(each));
        }
        return all;
    }
    // The expressions below match all of a text, so that both forms give the same parts.
    const bool inverts = isTrue(&step, "invert");
    if (type == "Split" && textOf(&step, "behavior") == (inverts ? "Removed" : "Isolated")) {
        return "split " + std::string(textOf(step.find("pattern"), "Regex"));
    }
    if (type == "Digits" && isTrue(&step, "individual_digits")) {
        return "digits";
    }
    if (type == "ByteLevel" && !isTrue(&step, "add_prefix_space")) {
        return isTrue(&step, "use_regex") || step.find("use_regex") == nullptr ? "bytes regex"
                                                                               : "bytes";
    }
    return "?";
}

bool isPlainNormalizer(const JsonValue* normalizer) {
    return normalizer == nullptr || normalizer->isNull() || textOf(normalizer, "type") == "NFC";
}

} // namespace

Result<std::string_view> ggufPreTokenizer(const JsonValue& tokenizer) {
    if (!isPlainNormalizer(tokenizer.find("normalizer"))) {
        return fail(ErrorCode::Unsupported,
                    "llama.cpp does not normalise text as this tokenizer does")
            .inFile("tokenizer.json")
            .inField("normalizer")
            .butFound(verbatim(std::string(textOf(tokenizer.find("normalizer"), "type"))));
    }
    const JsonValue* step = tokenizer.find("pre_tokenizer");
    const std::string steps = step != nullptr ? stepsOf(*step) : "none";
    const bool ignores = isTrue(tokenizer.find("model"), "ignore_merges");
    const auto row = std::ranges::find_if(kPreTokenizers, [&](const PreTokenizerRow& each) {
        return each.steps == steps && each.ignoresMerges == ignores;
    });
    if (row != kPreTokenizers.end()) {
        return row->name;
    }
    return fail(ErrorCode::Unsupported,
                "The tokenizer divides text in a way that llama.cpp does not support")
        .inFile("tokenizer.json")
        .inField("pre_tokenizer")
        .butFound(sentence("%1%2", steps, ignores ? Sentence(", ignore_merges") : ""))
        .withHint("--names keep writes the tensors alone; llama.cpp's own converter may know it");
}

} // namespace cairn
