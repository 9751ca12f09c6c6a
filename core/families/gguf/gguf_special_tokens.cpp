// SPDX-License-Identifier: Apache-2.0
//
// Special tokens as the converter's SpecialVocab finds them (gguf/vocab.py), step by step: the
// names of tokenizer_config.json, what the template of the post-processor adds, the ids of the
// added tokens in tokenizer.json, then those of config.json.
#include "core/families/gguf/gguf_vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

/// Kinds of tokens, and their keys below "tokenizer.ggml."; empty: llama.cpp has none.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kKinds = {
    {{"bos", "bos_token_id"},
     {"eos", "eos_token_id"},
     {"unk", "unknown_token_id"},
     {"sep", "seperator_token_id"},
     {"pad", "padding_token_id"},
     {"cls", ""},
     {"mask", "mask_token_id"},
     {"eot", "eot_token_id"},
     {"eom", "eom_token_id"}}};

class SpecialTokens {
public:
    SpecialTokens(const TokenizerFiles& parsed, std::size_t tokens)
        : m_parsed(parsed), m_tokens(tokens),
          m_hasSettings(parsed.settings && !parsed.settings->members().empty()) {
        for (const auto& [kind, key] : kKinds) {
            const JsonValue* entry =
                parsed.settings ? parsed.settings->find(std::string(kind) + "_token") : nullptr;
            m_entries.emplace(kind, entry != nullptr ? *entry : JsonValue());
        }
    }

    void run(const ModelConfig& config) {
        if (m_parsed.tokenizer) {
            borrow("bos", "cls");
            borrow("eos", "sep");
            const JsonValue* post = m_parsed.tokenizer->find("post_processor");
            const JsonValue* several = post != nullptr ? post->find("processors") : nullptr;
            if (several != nullptr) {
                std::ranges::for_each(several->elements(), [&](const auto& each) { take(each); });
            } else if (post != nullptr) {
                take(*post);
            }
        }
        if (m_hasSettings) {
            readSettings();
        }
        for (const std::string_view kind : m_kinds) {
            setId(kind, config.integer(std::string(kind) + "_token_id"));
        }
    }

    void write(std::vector<ValueItem>& metadata) const {
        for (const auto& [kind, key] : kKinds) {
            const auto id = m_ids.find(kind);
            if (id != m_ids.end() && !key.empty()) {
                metadata.push_back(
                    {Value("tokenizer.ggml." + std::string(key)), Value(id->second)});
            }
        }
        for (const char* kind : {"bos", "eos", "sep"}) {
            if (const auto adds = m_adds.find(kind); adds != m_adds.end()) {
                metadata.push_back({Value("tokenizer.ggml.add_" + std::string(kind) + "_token"),
                                    Value(adds->second)});
            }
        }
    }

private:
    [[nodiscard]] const JsonValue& entry(std::string_view kind) const {
        return m_entries.find(kind)->second;
    }
    void set(std::string_view kind, JsonValue value) {
        m_entries.find(kind)->second = std::move(value);
    }
    /// True as Python means it.
    [[nodiscard]] bool has(std::string_view kind) const {
        const JsonValue& value = entry(kind);
        const auto text = value.asString();
        return text ? !text->empty() : !value.members().empty();
    }
    [[nodiscard]] bool is(std::string_view kind, std::string_view text) const {
        const auto own = entry(kind).asString();
        return own && *own == text;
    }
    void borrow(std::string_view kind, std::string_view other) {
        if (!has(kind) && has(other) && m_hasSettings) {
            set(kind, entry(other));
        }
    }
    static std::string_view tokenOf(const JsonValue& part) {
        return textOf(part.find("SpecialToken"), "id");
    }
    [[nodiscard]] bool separates(std::string_view token) const {
        return is("sep", token) || is("eos", token);
    }

    void take(const JsonValue& processor) {
        const std::string_view type = textOf(&processor, "type");
        if (type == "RobertaProcessing") {
            for (const auto& [kind, other] : {std::pair("cls", "bos"), {"sep", "eos"}}) {
                const JsonValue* pair = processor.find(kind);
                if (!has(kind) && m_hasSettings) {
                    const bool given = pair != nullptr && !pair->elements().empty();
                    set(kind, given ? pair->elements().front() : entry(other));
                }
            }
            m_adds["bos"] = m_adds["eos"] = m_adds["sep"] = true;
        } else if (type == "TemplateProcessing") {
            takeTemplate(processor);
        }
    }

    void takeTemplate(const JsonValue& processor) {
        const JsonValue* single = processor.find("single");
        const JsonValue* pair = processor.find("pair");
        const auto parts = single != nullptr ? single->elements() : std::span<const JsonValue>();
        const std::string_view first = parts.size() > 1 ? tokenOf(parts.front()) : "";
        const std::string_view last = parts.size() > 1 ? tokenOf(parts.back()) : "";
        if (!first.empty()) {
            takeFirst(first);
        }
        if (!last.empty()) {
            takeLast(last);
        }
        if (pair != nullptr) {
            takePair(pair->elements(), first, last);
        }
    }

    void takeFirst(std::string_view token) {
        const JsonValue value{JsonValue::Storage(std::string(token))};
        if (!m_hasSettings) {
            set("bos", value);
        } else if (!is("bos", token) && !is("cls", token)) {
            if (!has("bos")) {
                set("bos", value);
            }
            if (!has("cls")) {
                set("cls", value);
            }
        }
        m_adds["bos"] = is("bos", token) || is("cls", token);
    }

    void takeLast(std::string_view token) {
        const JsonValue value{JsonValue::Storage(std::string(token))};
        if (m_hasSettings && !is("eos", token)) {
            for (const std::string_view kind : {"eot", "eom"}) {
                if (std::ranges::find(m_kinds, kind) == m_kinds.end()) {
                    m_kinds.push_back(kind);
                    set(kind, entry("eos"));
                    break;
                }
            }
        }
        set("eos", value);
        m_adds["eos"] = true;
    }

    /// "A", one or two separators, "B".
    void takePair(std::span<const JsonValue> parts, std::string_view first, std::string_view last) {
        if (!parts.empty() && !first.empty() && tokenOf(parts.front()) == first) {
            parts = parts.subspan(1);
        }
        if (!parts.empty() && !last.empty() && tokenOf(parts.back()) == last) {
            parts = parts.first(parts.size() - 1);
        }
        if (parts.size() < 3 || textOf(parts.front().find("Sequence"), "id") != "A" ||
            textOf(parts.back().find("Sequence"), "id") != "B") {
            return;
        }
        parts = parts.subspan(1, parts.size() - 2);
        const std::string_view one = tokenOf(parts.front());
        bool adds = !one.empty() && separates(one) && last.empty();
        if (parts.size() == 2) {
            const std::string_view two = tokenOf(parts[1]);
            adds = adds || (!two.empty() && separates(two));
        }
        m_adds["sep"] = adds;
        if (adds && !has("sep") && m_hasSettings) {
            set("sep", entry("eos"));
        }
    }

    void readSettings() {
        for (const std::string_view kind : m_kinds) {
            const JsonValue* adds = m_parsed.settings->find("add_" + std::string(kind) + "_token");
            if (adds != nullptr && adds->kind() == JsonKind::Bool) {
                m_adds[kind] = *adds->asBool();
            }
            const auto plain = entry(kind).asString();
            const std::string text(plain ? *plain : textOf(&entry(kind), "content"));
            const bool isText = plain || (entry(kind).find("content") != nullptr &&
                                          entry(kind).find("content")->asString());
            if (isText) {
                setId(kind, addedId(text));
            }
        }
    }

    [[nodiscard]] std::optional<std::int64_t> addedId(std::string_view text) const {
        const JsonValue* added =
            m_parsed.tokenizer ? m_parsed.tokenizer->find("added_tokens") : nullptr;
        for (const JsonValue& each :
             added != nullptr ? added->elements() : std::span<const JsonValue>()) {
            if (textOf(&each, "content") == text) {
                return integerOf(&each, "id");
            }
        }
        return std::nullopt;
    }

    void setId(std::string_view kind, std::optional<std::int64_t> id) {
        const bool fits =
            id && *id >= 0 && (m_tokens == 0 || std::cmp_less(*id, m_tokens)) && *id < (1LL << 32);
        if (fits) {
            m_ids.emplace(kind, *id);
        }
    }

    const TokenizerFiles& m_parsed;
    std::size_t m_tokens;
    bool m_hasSettings;
    std::vector<std::string_view> m_kinds = {"bos", "eos", "unk", "sep", "pad", "cls", "mask"};
    std::map<std::string_view, JsonValue, std::less<>> m_entries;
    std::map<std::string_view, std::int64_t> m_ids;
    std::map<std::string_view, bool> m_adds;
};

/// Spaces in merges as the byte alphabet has them.
std::string mergedPart(std::string_view part) {
    std::string made;
    for (const char c : part) {
        made += c == ' ' ? std::string("\xC4\xA0") : std::string(1, c); // U+0120
    }
    return made;
}

std::vector<Value> mergesOf(const TokenizerFiles& parsed, std::string_view text) {
    const JsonValue* model = parsed.tokenizer ? parsed.tokenizer->find("model") : nullptr;
    const JsonValue* merges = model != nullptr ? model->find("merges") : nullptr;
    std::vector<Value> all;
    for (const JsonValue& each :
         merges != nullptr ? merges->elements() : std::span<const JsonValue>()) {
        const auto pair = each.elements();
        const auto left = pair.size() == 2 ? pair[0].asString() : each.asString();
        const auto right = pair.size() == 2 ? pair[1].asString() : each.asString();
        if (left && right) {
            all.emplace_back(pair.size() == 2 ? mergedPart(*left) + " " + mergedPart(*right)
                                              : std::string(*left));
        }
    }
    while (merges == nullptr && !text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (!line.empty() && !line.starts_with('#') && line.find(' ') != line.npos) {
            all.emplace_back(line.substr(0, line.find_last_not_of("\r ") + 1));
        }
    }
    return all;
}

void addTemplates(const JsonValue& value, std::vector<ValueItem>& metadata) {
    constexpr std::string_view kKey = "tokenizer.chat_template";
    if (const auto text = value.asString()) {
        metadata.push_back({Value(kKey), Value(*text)});
        return;
    }
    std::vector<Value> names;
    for (const JsonValue& each : value.elements()) {
        std::string name(textOf(&each, "name"));
        const JsonValue* text = each.find("template");
        if (name.empty() || text == nullptr || !text->asString()) {
            continue;
        }
        std::ranges::replace_if(
            name,
            [](char c) {
                return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9'));
            },
            '_');
        const bool isDefault = name == "default";
        metadata.push_back({Value(isDefault ? std::string(kKey) : std::string(kKey) + "." + name),
                            Value(*text->asString())});
        if (!isDefault) {
            names.emplace_back(name);
        }
    }
    if (!names.empty()) {
        metadata.push_back({Value("tokenizer.chat_templates"), Value::list(std::move(names))});
    }
}

void addTemplate(const TokenizerFiles& parsed, const ModelFiles& files,
                 std::vector<ValueItem>& metadata) {
    if (!parsed.settings || parsed.settings->members().empty()) {
        return;
    }
    if (const JsonValue* own = parsed.settings->find("chat_template")) {
        addTemplates(*own, metadata);
    } else if (const auto jinja = files("chat_template.jinja"); !jinja.empty()) {
        metadata.push_back({Value("tokenizer.chat_template"), Value(jinja)});
    } else if (const auto text = files("chat_template.json"); !text.empty()) {
        const auto document = parseJson(text, "chat_template.json");
        const JsonValue* inner = document ? document->find("chat_template") : nullptr;
        if (inner != nullptr) {
            addTemplates(*inner, metadata);
        }
    }
}

} // namespace

void describeSpecialTokens(const TokenizerFiles& parsed, const ModelFiles& files,
                           const ModelConfig& config, std::size_t tokens, bool withMerges,
                           std::vector<ValueItem>& metadata) {
    if (withMerges) {
        std::vector<Value> merges = mergesOf(parsed, files("merges.txt"));
        if (!merges.empty()) {
            metadata.push_back({Value("tokenizer.ggml.merges"), Value::list(std::move(merges))});
        }
    }
    SpecialTokens special(parsed, tokens);
    special.run(config);
    special.write(metadata);
    addTemplate(parsed, files, metadata);
}

} // namespace cairn
