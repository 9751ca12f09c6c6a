// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_combination.h"

#include "core/families/adapters/adapter_errors.h"
#include "core/families/adapters/adapter_keys.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

std::string leafOf(std::string_view name) {
    return std::string(name.substr(name.rfind('.') + 1)); // npos + 1 is 0
}

/// A name as a regular expression that matches only it.
std::string exactly(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const bool plain =
            c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        text += plain ? std::string(1, c) : std::string{'\\', c};
    }
    return text;
}

/// The most frequent of some values, and patterns for the modules that have others.
template <class T>
std::pair<T, std::vector<std::pair<std::string, T>>>
patternsOf(const std::map<std::string, T>& values) {
    std::map<T, std::size_t> counts;
    std::map<std::string, std::set<T>> byLeaf;
    for (const auto& [name, value] : values) {
        ++counts[value];
        byLeaf[leafOf(name)].insert(value);
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    const T usual = most == counts.end() ? T(1) : most->first;
    std::vector<std::pair<std::string, T>> patterns;
    std::set<std::string> written;
    for (const auto& [name, value] : values) {
        const std::string leaf = leafOf(name);
        const bool same = byLeaf[leaf].size() == 1;
        const std::string key = same ? exactly(leaf) : "^" + exactly(name);
        if (value != usual && written.insert(key).second) {
            patterns.emplace_back(key, value);
        }
    }
    return {usual, std::move(patterns)};
}

/// One member's part of a module.
struct MemberModule {
    std::size_t member = 0;
    const AdapterModule* module = nullptr;
    std::int64_t rank = 1;
    std::int64_t experts = 1;
    double share = 0;               ///< what the product is multiplied with in the mean
    std::vector<std::string> names; ///< by which patterns set alpha and rank
};

class Combination {
public:
    Combination(std::span<const CombinedMember> members, CombinedScale where)
        : m_members(members), m_where(where) {
        for (const CombinedMember& member : members) {
            m_sum += member.weight;
        }
    }

    Result<CombinedAdapter> run() {
        CAIRN_CHECK(checkSettings());
        for (const CombinedMember& member : m_members) {
            CAIRN_TRY(AdapterKeys keys, readAdapterKeys(member.adapter));
            m_keys.push_back(std::move(keys));
        }
        std::map<std::pair<std::string, std::size_t>, std::vector<MemberModule>> modules;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            for (const AdapterModule& module : m_keys[i].modules) {
                modules[{module.path, module.depth}].push_back({i, &module, 1, 1, 0, {}});
            }
        }
        for (auto& [key, parts] : modules) {
            CAIRN_CHECK(add(parts));
        }
        CAIRN_CHECK(addReplaced());
        std::tie(m_made.rank, m_made.ranks) = patternsOf(m_ranks);
        std::tie(m_made.alpha, m_made.alphas) = patternsOf(m_alphas);
        chooseModules();
        return std::move(m_made);
    }

private:
    [[nodiscard]] Error cannot(Sentence message, std::size_t member) const {
        return fail(ErrorCode::Unsupported, std::move(message))
            .inFile(m_members[member].adapter.path().string())
            .withHint("Fold the adapters into the base, each with its share: cairn-cli fold BASE "
                      "--adapter A=0.5 --adapter B=0.5");
    }

    [[nodiscard]] const TensorEntry& entry(std::size_t member, TensorIndex tensor) const {
        return m_members[member].adapter.tensor(tensor);
    }

    Result<void> checkSettings() const {
        const AdapterConfig& first = m_members.front().config;
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            const AdapterConfig& own = m_members[i].config;
            if (own.dora) {
                return cannot("The mean of adapters with DoRA is not an adapter: their magnitudes "
                              "act on the sum of the weight and the change",
                              i)
                    .inField("use_dora");
            }
            const std::set<std::string> parameters(own.parameters.begin(), own.parameters.end());
            const bool same = parameters == std::set<std::string>(first.parameters.begin(),
                                                                  first.parameters.end()) &&
                              own.tokens == first.tokens && own.fanInFanOut == first.fanInFanOut &&
                              own.tiesWeights == first.tiesWeights;
            if (!same) {
                return cannot("Settings of the adapters differ, so that one adapter cannot express "
                              "both",
                              i)
                    .inField("target_parameters, trainable_token_indices, fan_in_fan_out or "
                             "ensure_weight_tying")
                    .expecting(sentence("those of %1", m_members.front().adapter.path().string()));
            }
        }
        return {};
    }

    Result<void> add(std::vector<MemberModule>& parts) {
        const AdapterModule& module = *parts.front().module;
        for (const MemberModule& part : parts) {
            if (part.module->magnitude) {
                return cannot("The adapter contains magnitudes, but its settings exclude DoRA",
                              part.member)
                    .inTensor(entry(part.member, *part.module->magnitude).name);
            }
        }
        const std::string name = std::string(kPeftPrefix) + module.path + baseLayers(module.depth);
        CAIRN_CHECK(addPair(parts, &AdapterModule::a, &AdapterModule::b, name,
                            {".lora_A.weight", ".lora_B.weight"}));
        CAIRN_CHECK(addPair(parts, &AdapterModule::embeddingA, &AdapterModule::embeddingB, name,
                            {".lora_embedding_A", ".lora_embedding_B"}));
        return addTokens(parts, name);
    }

    static std::string baseLayers(std::size_t depth) {
        std::string text;
        for (; depth > 0; --depth) {
            text += ".base_layer";
        }
        return text;
    }

    using Matrix = std::optional<TensorIndex> AdapterModule::*;

    Result<void> addPair(const std::vector<MemberModule>& all, Matrix a, Matrix b,
                         const std::string& name,
                         std::pair<std::string_view, std::string_view> endings) {
        std::vector<MemberModule> parts;
        for (const MemberModule& part : all) {
            if (part.module->*a || part.module->*b) {
                parts.push_back(part);
            }
        }
        if (parts.empty()) {
            return {};
        }
        std::int64_t rank = 0;
        for (MemberModule& part : parts) {
            CAIRN_CHECK(measure(part, a, b));
            Shape rows = entry(part.member, *(part.module->*a)).shape;
            const Shape& columns = entry(part.member, *(part.module->*b)).shape;
            const MemberModule& first = parts.front();
            const Shape& other = entry(first.member, *(first.module->*a)).shape;
            rows[0] = other[0]; // the rank
            if (rows != other || columns[0] != entry(first.member, *(first.module->*b)).shape[0] ||
                part.experts != first.experts || part.names != first.names) {
                return cannot("The adapters are for models of other shapes", part.member)
                    .inTensor(entry(part.member, *(part.module->*a)).name);
            }
            rank += part.rank;
        }
        const bool uniform = m_where == CombinedScale::Settings &&
                             std::ranges::all_of(parts, [&](const MemberModule& part) {
                                 return part.share == parts.front().share;
                             });
        CAIRN_TRY(const double whole, shareOfBiases(parts, name));
        if (whole > 0 && m_where == CombinedScale::Matrices) {
            return cannot("The mean of trained biases needs a scale in the settings, which a file "
                          "of diffusers or kohya does not have",
                          parts.front().member)
                .inTensor(name);
        }
        const auto divisor = static_cast<double>(rank);
        const double scale = whole > 0 ? whole : uniform ? parts.front().share : 1;
        CombinedTensor low{
            name + std::string(endings.first), CombinedBy::Rows, parts.front().experts, {}};
        CombinedTensor high{name + std::string(endings.second), CombinedBy::Columns, 1, {}};
        for (const MemberModule& part : parts) {
            const bool asStored = uniform && whole == 0;
            low.parts.push_back(
                {*(part.module->*a), asStored ? 1 : part.share / scale, part.member});
            high.parts.push_back({*(part.module->*b), 1, part.member});
        }
        m_made.tensors.push_back(std::move(low));
        m_made.tensors.push_back(std::move(high));
        for (const std::string& each : parts.front().names) {
            m_ranks[each] = rank;
            m_alphas[each] = scale * divisor;
        }
        if (parts.front().names.front() == parts.front().module->path) {
            m_layers.push_back(parts.front().module->path);
        }
        return {};
    }

    /// Adds the mean of the biases of a module's matrices: with the sum of the shares as the scale
    /// of the combined matrices, that is the mean weighted with the shares. 0: there are no biases.
    Result<double> shareOfBiases(const std::vector<MemberModule>& parts, const std::string& name) {
        const auto hasBias = [](const MemberModule& part) { return part.module->bias.has_value(); };
        const auto some = std::ranges::find_if(parts, hasBias);
        if (some == parts.end()) {
            return 0;
        }
        const std::string& stored = entry(some->member, *some->module->bias).name;
        double sum = 0;
        bool positive = true;
        std::vector<CombinedPart> biases;
        for (const MemberModule& part : parts) {
            sum += part.share;
            positive = positive && part.share >= 0;
            if (part.module->bias) {
                biases.push_back({*part.module->bias, part.share, part.member});
            }
        }
        if (biases.size() != parts.size() || parts.size() != m_members.size() || !positive ||
            sum <= 0) {
            return cannot("Only some of the adapters have this trained bias, or it has a negative "
                          "scale",
                          some->member)
                .inTensor(stored);
        }
        CAIRN_CHECK(addMean(name + ".lora_B.bias", biases));
        return sum;
    }

    /// Finds rank, experts and share of a member's pair of matrices.
    Result<void> measure(MemberModule& part, Matrix a, Matrix b) const {
        const AdapterModule& module = *part.module;
        const AdapterConfig& config = m_members[part.member].config;
        if (!(module.*a) || !(module.*b)) {
            return adapterErrors::missingHalf(module.path, "both matrices of each pair");
        }
        const TensorEntry& low = entry(part.member, *(module.*a));
        const TensorEntry& high = entry(part.member, *(module.*b));
        CAIRN_CHECK(adapterErrors::checkPair(low, high));
        CAIRN_TRY(part.rank, config.rankOf(module.path));
        CAIRN_TRY(double alpha, config.alphaOf(module.path));
        part.names = {module.path};
        if (!isLayer(module, config, low.shape[0] == part.rank)) {
            CAIRN_CHECK(measureParameter(part, config, low, alpha));
        }
        part.experts = part.rank > 0 ? low.shape[0] / part.rank : 0;
        const bool layer = part.names.front() == module.path;
        if (part.rank < 1 || part.experts * part.rank != low.shape[0] ||
            (layer && part.experts != 1)) {
            return adapterErrors::wrongRank(low, part.rank);
        }
        part.share = m_members[part.member].weight / m_sum * config.scaling(alpha, part.rank);
        return {};
    }

    /// Whether the matrices are those of a layer, not of a tensor in target_parameters.
    static bool isLayer(const AdapterModule& module, const AdapterConfig& config, bool fits) {
        const bool below = std::ranges::any_of(config.parameters, [&](const std::string& name) {
            const std::size_t dot = name.rfind('.');
            return dot != std::string::npos && isNamed(module.path, name.substr(0, dot));
        });
        const bool named = std::ranges::any_of(
            config.modules, [&](const std::string& name) { return isNamed(module.path, name); });
        return module.depth == 0 && !below && fits &&
               (named || config.parameters.empty() || config.modules.empty());
    }

    /// Without the base, which of the named tensors it is remains open: all must have one rank and
    /// alpha.
    Result<void> measureParameter(MemberModule& part, const AdapterConfig& config,
                                  const TensorEntry& low, double& alpha) const {
        part.names.clear();
        std::set<std::pair<std::int64_t, double>> found;
        const std::optional<std::string_view> leaf = leafByShapes(part);
        for (const std::string& full : parametersBelow(part.module->path, config)) {
            if (leaf && leafOf(full) != *leaf) {
                continue;
            }
            CAIRN_TRY(const std::int64_t rank, config.rankOf(full));
            CAIRN_TRY(const double own, config.alphaOf(full));
            part.names.push_back(full);
            found.insert({rank, own});
        }
        if (found.size() != 1) {
            return cannot("Which tensor of target_parameters these matrices change is not "
                          "recorded, and the candidates have different ranks or alphas",
                          part.member)
                .inTensor(low.name)
                .inField("target_parameters");
        }
        std::tie(part.rank, alpha) = *found.begin();
        return {};
    }

    /// Which of the usual two stacks of experts it is, if the adapter changes both: the inputs of
    /// the one are the outputs of the other, and the one has two halves.
    [[nodiscard]] std::optional<std::string_view> leafByShapes(const MemberModule& part) const {
        const std::vector<AdapterModule>& all = m_keys[part.member].modules;
        const auto isOther = [&](const AdapterModule& each) {
            return each.path == part.module->path && each.depth != part.module->depth;
        };
        const auto other = std::ranges::find_if(all, isOther);
        const auto shapeOf = [&](TensorIndex tensor) { return entry(part.member, tensor).shape; };
        const auto isPair = [&](const AdapterModule& each) {
            return each.a && each.b && shapeOf(*each.a).size() == 2 && shapeOf(*each.b).size() == 2;
        };
        if (std::ranges::count_if(all, isOther) != 1 || !isPair(*other) || !isPair(*part.module)) {
            return std::nullopt;
        }
        const auto fuses = [&](const AdapterModule& up, const AdapterModule& down) {
            return shapeOf(*up.a)[1] == shapeOf(*down.b)[0] &&
                   shapeOf(*up.b)[0] == 2 * shapeOf(*down.a)[1];
        };
        return fuses(*part.module, *other)   ? std::optional<std::string_view>("gate_up_proj")
               : fuses(*other, *part.module) ? std::optional<std::string_view>("down_proj")
                                             : std::nullopt;
    }

    Result<void> addTokens(const std::vector<MemberModule>& parts, const std::string& name) {
        std::vector<CombinedPart> rows;
        for (const MemberModule& part : parts) {
            if (part.module->tokens) {
                rows.push_back({*part.module->tokens, m_members[part.member].weight, part.member});
            }
        }
        return rows.empty() ? Result<void>()
                            : addMean(name + ".token_adapter.trainable_tokens_delta", rows);
    }

    Result<void> addReplaced() {
        std::map<std::string, std::vector<CombinedPart>> replaced;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            for (const NamedTensor& each : m_keys[i].replaced) {
                replaced[each.name].push_back({each.tensor, m_members[i].weight, i});
            }
        }
        for (const auto& [name, parts] : replaced) {
            CAIRN_CHECK(addMean(entry(parts.front().member, parts.front().tensor).name, parts));
        }
        return {};
    }

    Result<void> addMean(std::string name, const std::vector<CombinedPart>& parts) {
        const CombinedPart& first = parts.front();
        if (parts.size() != m_members.size()) {
            return cannot("Only some of the adapters replace this tensor of the base; the others "
                          "leave it as the base has it, which is not in their files",
                          first.member)
                .inTensor(entry(first.member, first.tensor).name);
        }
        for (const CombinedPart& part : parts) {
            const TensorEntry& own = entry(part.member, part.tensor);
            CAIRN_CHECK(adapterErrors::checkAdapter(own, own.shape.size()));
            if (own.shape != entry(first.member, first.tensor).shape) {
                return cannot("The adapters are for models of other shapes", part.member)
                    .inTensor(own.name);
            }
        }
        m_made.tensors.push_back({std::move(name), CombinedBy::Mean, 1, parts});
        return {};
    }

    /// The modules one by one, unless all members choose the same ones by their names alone.
    void chooseModules() {
        const auto namesOf = [](const AdapterConfig& config) {
            return std::set<std::string>(config.modules.begin(), config.modules.end());
        };
        const std::set<std::string> names = namesOf(m_members.front().config);
        const bool same =
            !names.empty() && std::ranges::all_of(m_members, [&](const CombinedMember& member) {
                return namesOf(member.config) == names && !member.config.someLayers;
            });
        if (!same) {
            m_made.modules = m_layers;
        }
    }

    std::span<const CombinedMember> m_members;
    CombinedScale m_where;
    double m_sum = 0;
    std::vector<AdapterKeys> m_keys;
    std::map<std::string, std::int64_t> m_ranks; ///< by module or tensor
    std::map<std::string, double> m_alphas;
    std::vector<std::string> m_layers;
    CombinedAdapter m_made;
};

} // namespace

Result<CombinedAdapter> combineAdapters(std::span<const CombinedMember> members,
                                        CombinedScale where) {
    return Combination(members, where).run();
}

} // namespace cairn
