// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/model_check.h"

#include "core/families/config/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr std::string_view kHeads = "lm_head.weight embed_out.weight";
constexpr std::string_view kLayerCounts = "num_hidden_layers n_layer";
constexpr std::string_view kExpertCounts = "num_local_experts num_experts n_routed_experts";
constexpr std::size_t kMostKinds = 64; ///< of layers, which are compared with each other

std::optional<std::int64_t> firstOf(std::string_view fields, const ModelConfig& config) {
    for (const std::string_view field : wordsOf(fields)) {
        if (const auto number = config.integer(field)) {
            return number;
        }
    }
    return std::nullopt;
}

/// A name with its numbers taken out: "model.layers.{}.mlp.experts.{}.up_proj.weight", 3, 7.
struct Numbered {
    std::string pattern;
    std::vector<std::int64_t> numbers;
};

Numbered numbered(std::string_view name) {
    Numbered made;
    while (!name.empty()) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        const std::string_view part = name.substr(0, dot);
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        const bool isNumber = !part.empty() && error == std::errc() &&
                              end == part.data() + part.size() && number >= 0;
        made.pattern += made.pattern.empty() ? "" : ".";
        made.pattern += isNumber ? std::string_view("{}") : part;
        if (isNumber) {
            made.numbers.push_back(number);
        }
        name.remove_prefix(std::min(name.size(), dot + 1));
    }
    return made;
}

Error wrongCount(std::int64_t found, Sentence wanted) {
    return fail(ErrorCode::BadSlice, "The number of layers contradicts the config")
        .inField("num_hidden_layers")
        .butFound(sentence("%1 layers", found))
        .expecting(std::move(wanted));
}

Error missing(std::string name) {
    return fail(ErrorCode::NotFound, "The model lacks a tensor, so that it is not converted")
        .inTensor(std::move(name))
        .withHint("`cairn-cli check` reports whether the checkpoint is complete; --names keep "
                  "writes what exists");
}

/// Puts a number in place of the first "{}".
std::string withLayer(std::string pattern, std::int64_t layer) {
    return pattern.replace(pattern.find("{}"), 2, std::to_string(layer));
}

class Checker {
public:
    explicit Checker(const ModelConfig& config) : m_config(config) {}

    Result<void> run(const Checkpoint& library, const Recipe& rules) {
        for (const TensorEntry& tensor : library.tensors()) {
            CAIRN_CHECK(add(tensor));
        }
        CAIRN_CHECK(checkSingles(rules));
        CAIRN_CHECK(checkLayers());
        CAIRN_CHECK(checkExperts());
        return checkKinds();
    }

private:
    Result<void> add(const TensorEntry& tensor) {
        const Numbered name = numbered(tensor.name);
        if (name.numbers.empty()) {
            m_singles.insert(tensor.name);
            return {};
        }
        const auto [known, fresh] = m_shapes.emplace(name.pattern, &tensor);
        if (!fresh && known->second->shape != tensor.shape) {
            return fail(ErrorCode::BadSlice, "The layers have tensors of different shapes")
                .inTensor(tensor.name)
                .butFound(verbatim(formatDims(tensor.shape)))
                .expecting(
                    sentence("%1, as %2", formatDims(known->second->shape), known->second->name));
        }
        std::string inLayer = name.pattern;
        if (name.numbers.size() > 1) { // the number of an expert stays
            const std::size_t second = inLayer.find("{}", inLayer.find("{}") + 2);
            inLayer.replace(second, 2, std::to_string(name.numbers[1]));
            m_experts[{name.pattern, name.numbers.front()}].insert(name.numbers[1]);
        }
        m_layers[name.numbers.front()].insert(std::move(inLayer));
        return {};
    }

    /// Tensors outside the layers, according to the rules that apply.
    Result<void> checkSingles(const Recipe& rules) const {
        const ModelConfig known = rules.withDefinitions(m_config);
        const bool untied = known.integer("tie_word_embeddings") == 0;
        for (const Recipe::Rule& rule : rules.rules()) {
            const auto met = rule.when.evaluate(known);
            for (const Recipe::Source& target : rule.targets) {
                const std::string& name = target.name.text();
                const bool needed = met && *met != 0 && name.find('{') == std::string::npos &&
                                    (untied || !isWordOf(kHeads, name));
                if (needed && !m_singles.contains(name)) {
                    return missing(name);
                }
            }
        }
        return {};
    }

    Result<void> checkLayers() const {
        std::int64_t next = 0;
        for (const auto& [layer, names] : m_layers) {
            if (layer != next) {
                return missing(withLayer(*names.begin(), next));
            }
            ++next;
        }
        const auto wanted = firstOf(kLayerCounts, m_config);
        if (wanted && *wanted != next) {
            return wrongCount(next, verbatim(std::to_string(*wanted)));
        }
        return {};
    }

    Result<void> checkExperts() const {
        const auto wanted = firstOf(kExpertCounts, m_config);
        for (const auto& [place, experts] : m_experts) {
            const auto count = static_cast<std::int64_t>(experts.size());
            if (*experts.rbegin() != count - 1 || (wanted && *wanted != count)) {
                return fail(ErrorCode::BadSlice, "The number of experts contradicts the config")
                    .inTensor(withLayer(place.first, place.second))
                    .butFound(sentence("%1 experts, the last one %2", count, *experts.rbegin()))
                    .expecting(wanted ? verbatim(std::to_string(*wanted)) : "no gaps");
            }
        }
        return {};
    }

    /// Layers of several kinds (dense, experts) each have something that the others lack.
    Result<void> checkKinds() const {
        std::map<std::set<std::string>, std::int64_t> kinds;
        for (const auto& [layer, names] : m_layers) {
            if (kinds.size() < kMostKinds) {
                kinds.emplace(names, layer);
            }
        }
        for (const auto& [less, layer] : kinds) {
            for (const auto& [more, other] : kinds) {
                if (less.size() < more.size() && std::ranges::includes(more, less)) {
                    const auto lacking =
                        std::ranges::find_if(more, [&few = less](const std::string& name) {
                            return !few.contains(name);
                        });
                    return missing(withLayer(*lacking, layer))
                        .expecting(sentence("the tensors of layer %1", other));
                }
            }
        }
        return {};
    }

    const ModelConfig& m_config;
    std::set<std::string, std::less<>> m_singles;
    std::map<std::string, const TensorEntry*> m_shapes; ///< the first of each pattern
    std::map<std::int64_t, std::set<std::string>> m_layers;
    std::map<std::pair<std::string, std::int64_t>, std::set<std::int64_t>> m_experts;
};

constexpr std::string_view kWordEmbeddings =
    "model.embed_tokens.weight model.language_model.embed_tokens.weight "
    "language_model.model.embed_tokens.weight embed_tokens.weight transformer.wte.weight "
    "wte.weight gpt_neox.embed_in.weight";
constexpr std::string_view kLayers =
    "model.layers.{i}.{*} model.language_model.layers.{i}.{*} "
    "language_model.model.layers.{i}.{*} transformer.h.{i}.{*} gpt_neox.layers.{i}.{*}";

Result<void> checkEmbedding(const TensorEntry& tensor, const ModelConfig& config) {
    const std::array<std::optional<std::int64_t>, 2> wanted = {
        firstOf("vocab_size", config), firstOf("hidden_size n_embd", config)};
    bool fits = true;
    std::string shown;
    for (std::size_t d = 0; d < wanted.size() && tensor.shape.size() == wanted.size(); ++d) {
        fits = fits && (!wanted[d] || tensor.shape[d] == *wanted[d]);
        shown += (d == 0 ? "vocab_size " : ", hidden_size ") +
                 (wanted[d] ? std::to_string(*wanted[d]) : std::string("unknown"));
    }
    return fits ? Result<void>()
                : fail(ErrorCode::BadSlice, "The config contradicts the shape of the embedding")
                      .inTensor(tensor.name)
                      .butFound(verbatim(formatDims(tensor.shape)))
                      .expecting(verbatim(shown))
                      .withHint("--like needs the folder of the same model, with the vocabulary "
                                "that it was trained with");
}

} // namespace

Result<void> checkConfig(const Checkpoint& checkpoint, std::span<const NamedTensor> tensors,
                         const ModelConfig& config) {
    const ModelConfig text = config.part("text_config");
    std::vector<NamePattern> patterns;
    for (const std::string_view pattern : wordsOf(kLayers)) {
        patterns.emplace_back(pattern);
    }
    std::int64_t layers = 0;
    for (const NamedTensor& each : tensors) {
        if (isWordOf(kWordEmbeddings, each.name)) {
            CAIRN_CHECK(checkEmbedding(checkpoint.tensor(each.tensor), text));
        }
        for (const NamePattern& pattern : patterns) {
            if (const auto numbers = pattern.match(each.name)) {
                layers = std::max(layers, numbers->front().second + 1);
            }
        }
    }
    const auto wanted = firstOf(kLayerCounts, text);
    const std::int64_t more = text.integer("num_nextn_predict_layers").value_or(0);
    if (layers > 0 && wanted &&
        (layers < *wanted || layers - *wanted > std::max<std::int64_t>(more, 0))) {
        return wrongCount(layers, verbatim(std::to_string(*wanted)))
            .withHint("--like needs the folder of the same model");
    }
    return {};
}

Result<void> checkComplete(const Checkpoint& library, const Recipe& rules,
                           const ModelConfig& config) {
    return Checker(config).run(library, rules);
}

} // namespace cairn
