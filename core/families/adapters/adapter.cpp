// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter.h"

#include "core/families/adapters/adapter_changes.h"
#include "core/families/adapters/adapter_keys.h"
#include "core/families/config/model_part.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

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

/// isNamed() for one of many names.
bool endsWithOne(std::string_view module, const std::set<std::string_view>& names) {
    while (!names.contains(module)) {
        const std::size_t dot = module.find('.');
        if (dot == module.npos) {
            return false;
        }
        module.remove_prefix(dot + 1);
    }
    return true;
}

/// "…experts.3.up_proj".
bool isOfExpert(std::string_view module) {
    const std::size_t at = module.find("experts.");
    return at != module.npos && at + 8 < module.size() && module[at + 8] >= '0' &&
           module[at + 8] <= '9';
}

/// Layers that follow the model's own (multi-token prediction), which transformers leaves out.
bool isBeyondLayers(const AdapterBase& base, std::string_view name) {
    const ModelConfig* config = base.config;
    const auto count = config != nullptr ? config->integer("num_hidden_layers") : std::nullopt;
    const std::size_t at = name.find("layers.");
    if (!count || at == name.npos) {
        return false;
    }
    std::int64_t layer = 0;
    for (std::size_t i = at + 7; i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i) {
        layer = std::min<std::int64_t>(layer * 10 + (name[i] - '0'), 1'000'000);
    }
    return layer >= *count;
}

/// Whether the adapter has matrices for all modules that its list names.
Result<void> checkComplete(const AdapterConfig& config, const AdapterBase& base,
                           const AdapterKeys& keys, const AdapterChanges& changes) {
    const std::optional<TiedHead> tied = findTiedHead(base);
    if (config.someLayers) {
        return {};
    }
    const std::set<std::string_view> wanted(config.modules.begin(), config.modules.end());
    const bool namesExperts = std::ranges::any_of(
        keys.modules, [](const AdapterModule& each) { return isOfExpert(each.path); });
    for (const NamedTensor& each : base.tensors) {
        const std::size_t end = each.name.rfind(".weight");
        const Shape& shape = base.checkpoint->tensor(each.tensor).shape;
        if (end == std::string::npos || end + 7 != each.name.size() || shape.size() != 2 ||
            changes.tensors.contains(each.tensor) || isBeyondLayers(base, each.name)) {
            continue;
        }
        const std::string module = each.name.substr(0, end);
        const bool named = endsWithOne(module, wanted);
        const bool tiedHead = tied && tied->head == each.tensor && config.tiesWeights;
        if (named && !tiedHead && (namesExperts || !isOfExpert(module))) {
            return fail(ErrorCode::NotFound,
                        "The adapter has no tensors for a module that its settings name")
                .inTensor(module)
                .inField("target_modules")
                .withHint("Use the complete files that PEFT saved, and the base that they are "
                          "for");
        }
    }
    return {};
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

} // namespace

bool isVocabularyTensor(std::string_view name) {
    return isOneOf(name, kEmbeddingNames) || isOneOf(name, kHeadNames);
}

bool mayBeTiedElsewhere(const AdapterBase& base, const NamedTensor& tensor) {
    const Shape& shape = base.checkpoint->tensor(tensor.tensor).shape;
    if (base.config == nullptr) { // an untied model has a head
        return isOneOf(tensor.name, kEmbeddingNames) &&
               std::ranges::none_of(base.tensors, [](const NamedTensor& each) {
                   return isOneOf(each.name, kHeadNames);
               });
    }
    const bool isVocabulary =
        isOneOf(tensor.name, kEmbeddingNames) ||
        (shape.size() == 2 && base.config->integer("vocab_size").value_or(-1) == shape[0]);
    return isVocabulary && base.config->integer("tie_word_embeddings").value_or(1) != 0 &&
           isLanguageModel(*base.config) && headNameFor(tensor.name).empty() &&
           !isOneOf(tensor.name, kHeadNames);
}

std::optional<TiedHead> findTiedHead(const AdapterBase& base) {
    if (base.config == nullptr) {
        return std::nullopt;
    }
    const bool hasHead = isLanguageModel(*base.config);
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
    if (!found || !hasHead) {
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

Result<AdapterConfig> readAdapterConfig(const Checkpoint& adapter) {
    CAIRN_TRY(const Value values, adapter.values());
    const Value* document = values.find("adapter_config");
    if (document == nullptr) {
        return fail(ErrorCode::NotFound, "The adapter has no adapter_config.json, without which "
                                         "its scale is unknown")
            .inFile(adapter.path().string())
            .withHint("Name the folder that PEFT wrote, with adapter_config.json and "
                      "adapter_model.safetensors");
    }
    return AdapterConfig::of(*document);
}

Result<AdapterChanges> adapterChanges(const Checkpoint& adapter, const AdapterConfig& config,
                                      const AdapterBase& base, double scale, bool rounds) {
    CAIRN_TRY(const AdapterKeys keys, readAdapterKeys(adapter));
    CAIRN_TRY(AdapterChanges changes, findChanges(adapter, config, base, keys, scale, rounds));
    CAIRN_CHECK(checkComplete(config, base, keys, changes));
    return changes;
}

} // namespace cairn
