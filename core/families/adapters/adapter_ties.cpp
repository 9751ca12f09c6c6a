// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter.h"
#include "core/families/config/model_part.h"
#include "core/families/expected/model_fit.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

/// Which tensors of a base share their elements: what is recorded of its class (core/families/
/// expected), or, if the class is unknown, what names and config say.
namespace cairn {
namespace {

/// Where a model stores its head, by the name of its embedding.
std::string headNameFor(std::string_view embedding) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kHeads = {{
        {"model.embed_tokens.weight", "lm_head.weight"},
        {"transformer.wte.weight", "lm_head.weight"},
        {"transformer.word_embeddings.weight", "lm_head.weight"},
        {"gpt_neox.embed_in.weight", "embed_out.weight"},
        {"model.language_model.embed_tokens.weight", "lm_head.weight"},
        {"language_model.model.embed_tokens.weight", "language_model.lm_head.weight"},
    }};
    const auto* const found =
        std::ranges::find(kHeads, embedding, &std::pair<std::string_view, std::string_view>::first);
    return found == kHeads.end() ? std::string() : std::string(found->second);
}

bool isLanguageModel(const ModelConfig& config) {
    static constexpr std::array<std::string_view, 5> kClasses = {
        "ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ForMaskedLM", "ForPreTraining"};
    const std::vector<std::string> classes = config.texts("architectures");
    return std::ranges::any_of(classes, [](const std::string& name) {
        return std::ranges::any_of(
            kClasses, [&name](std::string_view ending) { return name.ends_with(ending); });
    });
}

bool isOneOf(std::string_view name, std::span<const std::string_view> endings) {
    return std::ranges::any_of(endings,
                               [name](std::string_view each) { return isNamed(name, each); });
}

/// "h.0.mlp.c_proj.weight", but not "embed_tokens.0.weight": inside one of many equal layers, where
/// no model has its embedding or its head.
bool isInsideLayer(std::string_view name) {
    std::vector<std::string_view> parts;
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.')) {
        parts.push_back(name.substr(0, dot));
        name.remove_prefix(dot + 1);
    }
    return parts.size() > 1 &&
           std::any_of(parts.begin(), parts.end() - 1, [](std::string_view part) {
               return !part.empty() &&
                      std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
           });
}

/// The ties that are recorded of the class that the config names.
struct RecordedTies {
    std::map<std::string, std::string> ties; ///< a tensor that may be absent, and which one it is
    std::string prefix;                      ///< of the stored names
    std::string basePrefix;                  ///< what names of a model without its head lack

    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& [name, other] : ties) {
            all.insert({name, other});
        }
        return all;
    }
    /// Whether a stored tensor has this name in the class.
    [[nodiscard]] bool isCalled(std::string_view stored, std::string_view name) const {
        stored.remove_prefix(stored.starts_with(prefix) ? prefix.size() : 0);
        return stored == name;
    }
};

/// Nothing: the class is unknown.
std::optional<RecordedTies> recordedTies(const AdapterBase& base) {
    if (base.config == nullptr || modelClass(*base.config).empty()) {
        return std::nullopt;
    }
    std::vector<OutputTensor> tensors;
    for (const NamedTensor& each : base.tensors) {
        const TensorEntry& entry = base.checkpoint->tensor(each.tensor);
        tensors.push_back({each.name, entry.shape, entry.dtype});
    }
    const auto fit = fitModel(*base.config, tensors);
    if (!fit || !*fit) {
        return std::nullopt;
    }
    RecordedTies found;
    found.prefix = (*fit)->prefix;
    found.basePrefix = (*fit)->model->prefix;
    for (const auto& [name, entry] : (*fit)->expected.all()) {
        if (!entry.tiedTo.empty()) {
            found.ties.emplace(name, entry.tiedTo);
        }
    }
    return found;
}

/// The only tie of the class as a tied head; nothing if it has others, which would be lost.
std::optional<TiedHead> recordedHead(const AdapterBase& base, const RecordedTies& recorded) {
    if (recorded.ties.size() != 1) {
        return std::nullopt;
    }
    const auto& [headName, embeddingName] = *recorded.ties.begin();
    TiedHead tied;
    bool found = false;
    for (const NamedTensor& each : base.tensors) {
        if (recorded.isCalled(each.name, embeddingName)) {
            tied.embedding = each.tensor;
            found = true;
        } else if (recorded.isCalled(each.name, headName)) {
            tied.head = each.tensor;
            tied.headName = each.name;
        }
    }
    tied.headName = tied.head ? tied.headName : recorded.prefix + headName;
    return found ? std::optional(tied) : std::nullopt;
}

/// By the names of transformers and the config.
std::optional<TiedHead> namedHead(const AdapterBase& base) {
    TiedHead tied;
    bool found = false;
    for (const NamedTensor& each : base.tensors) {
        std::string head = headNameFor(each.name);
        if (!head.empty()) {
            tied.embedding = each.tensor;
            tied.headName = std::move(head);
            found = true;
        }
    }
    if (!found || !isLanguageModel(*base.config)) {
        return std::nullopt;
    }
    for (const NamedTensor& each : base.tensors) {
        if (each.name == tied.headName) {
            tied.head = each.tensor;
        }
    }
    const auto flag = base.config->integer("tie_word_embeddings");
    const bool ties = flag ? *flag != 0 : !tied.head;
    return ties ? std::optional(tied) : std::nullopt;
}

} // namespace

bool isVocabularyTensor(std::string_view name) {
    return isOneOf(name, kEmbeddingNames) || isOneOf(name, kHeadNames);
}

BaseTies::BaseTies(const AdapterBase& base) : m_base(base) {
    if (base.config == nullptr) {
        return;
    }
    if (const auto recorded = recordedTies(base)) {
        m_known = true;
        m_head = recordedHead(base, *recorded);
        m_tied = recorded->names();
        m_prefixes = {recorded->prefix, recorded->basePrefix};
    } else {
        m_head = namedHead(base);
    }
}

bool BaseTies::isTiedElsewhere(std::string_view name, TensorIndex tensor) const {
    if (m_known) {
        const bool isHead = m_head && (tensor == m_head->embedding || tensor == m_head->head);
        return !isHead && isTied(name);
    }
    if (m_base.config == nullptr) { // an untied model has a head
        return isOneOf(name, kEmbeddingNames) &&
               std::ranges::none_of(m_base.tensors, [](const NamedTensor& each) {
                   return isOneOf(each.name, kHeadNames);
               });
    }
    const Shape& shape = m_base.checkpoint->tensor(tensor).shape;
    const bool isVocabulary =
        isOneOf(name, kEmbeddingNames) ||
        (shape.size() == 2 && m_base.config->integer("vocab_size").value_or(-1) == shape[0] &&
         !isInsideLayer(name));
    return isVocabulary && m_base.config->integer("tie_word_embeddings").value_or(1) != 0 &&
           isLanguageModel(*m_base.config) && headNameFor(name).empty() &&
           !isOneOf(name, kHeadNames);
}

Error BaseTies::tiedElsewhere(std::string name) const {
    return fail(ErrorCode::Unsupported,
                "The adapter changes an embedding that may be tied to an output of the model, "
                "which would change with it")
        .inTensor(std::move(name))
        .withHint(
            m_base.config != nullptr
                ? Sentence("Merge it with PEFT, after tie_word_embeddings is set to false and "
                           "the output is saved on its own")
                : "Put the model's config.json beside its weights");
}

bool BaseTies::isTied(std::string_view name) const {
    const auto& [prefix, basePrefix] = m_prefixes;
    name.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
    return m_tied.contains(std::string(name)) || m_tied.contains(basePrefix + std::string(name));
}

} // namespace cairn
