// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/jax_moments.h"

#include "core/analysis/optimizer_health.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

constexpr auto kOfOneShape = std::to_array<std::string_view>({"mu", "nu", "trace"});

class MomentSearch {
public:
    explicit MomentSearch(const Checkpoint& source) : m_source(source) {}

    Result<JaxMoments> find(const Value& tree) {
        collect(tree, {}, false, 0);
        for (const Leaf& leaf : m_parameters) {
            const std::size_t model = modelKeys(leaf.place);
            m_names[leaf.place.from(model)].push_back(m_found.parameters++);
            for (std::size_t key = model + 1; key < leaf.place.depth(); ++key) {
                m_above.insert(leaf.place.between(model, key));
            }
        }
        m_has.assign(m_found.parameters, false);
        for (const Leaf& leaf : m_states) {
            CAIRN_CHECK(relate(leaf));
        }
        for (const Place& place : m_placeholders) {
            mark(place);
        }
        m_found.withMoments = static_cast<std::size_t>(std::ranges::count(m_has, true));
        for (std::size_t i = 0; i < m_parameters.size() && m_found.withMoments > 0; ++i) {
            if (!m_has[i] && !isMarked(m_parameters[i].place)) {
                m_found.without.push_back(m_parameters[i].place.path);
            }
        }
        return std::move(m_found);
    }

private:
    /// A dotted path that is cut only between its keys, which may contain dots themselves.
    struct Place {
        std::string path;
        std::vector<std::uint32_t> starts; ///< of the keys

        [[nodiscard]] std::size_t depth() const { return starts.size(); }
        [[nodiscard]] std::string_view from(std::size_t key) const {
            return key < depth() ? std::string_view(path).substr(starts[key]) : std::string_view();
        }
        [[nodiscard]] std::string_view between(std::size_t first, std::size_t end) const {
            const std::size_t stop = end < depth() ? starts[end] - 1U : path.size();
            return first < end ? std::string_view(path).substr(starts[first], stop - starts[first])
                               : std::string_view();
        }
        [[nodiscard]] Place below(std::string_view key) const {
            Place place = *this;
            place.path += (depth() == 0 ? "" : ".") + std::string(key);
            place.starts.push_back(static_cast<std::uint32_t>(place.path.size() - key.size()));
            return place;
        }
    };

    struct Leaf {
        Place place;
        TensorIndex tensor;
    };

    void collect(const Value& value, const Place& path, bool inOptimizer, int depth) {
        if (const TensorIndex* tensor = value.asTensor()) {
            if (inOptimizer) {
                m_states.push_back({path, *tensor});
            } else if (m_source.tensor(*tensor).role == Role::Weight) {
                m_parameters.push_back({path, *tensor});
            }
            return;
        }
        const bool isEmpty =
            value.kind() == ValueKind::Null || (value.isContainer() && value.items().empty());
        if (isEmpty && inOptimizer) {
            m_placeholders.push_back(path);
        }
        if (depth > Value::kMaxDepth) {
            return;
        }
        std::size_t position = 0;
        for (const ValueItem& item : value.items()) {
            const std::string key =
                item.key.kind() == ValueKind::Null ? std::to_string(position) : keyText(item.key);
            const bool isOptimizer = inOptimizer || isKeyOfOptimizer(key);
            m_found.hasOptimizer = m_found.hasOptimizer || isOptimizer;
            m_found.hasCount = m_found.hasCount || (isOptimizer && key == "count");
            collect(item.value, path.below(key), isOptimizer, depth + 1);
            ++position;
        }
    }

    /// Keys up to that of the model: of "params.dense.kernel" 1, "generator.params.dense.kernel" 2.
    static std::size_t modelKeys(const Place& place) {
        for (std::size_t key = 0; key + 1 < place.depth(); ++key) {
            if (place.between(key, key + 1) == "params") {
                return key + 1;
            }
        }
        return std::min<std::size_t>(1, place.depth() - 1);
    }

    /// How well a parameter fits a state: the keys with which both paths begin, then those of the
    /// parameter's model that are anywhere in the state's path.
    [[nodiscard]] std::pair<std::size_t, std::size_t> nearness(std::size_t parameter,
                                                               const Place& state) const {
        const Place& place = m_parameters[parameter].place;
        const auto keyOf = [](const Place& each, std::size_t key) {
            return each.between(key, key + 1);
        };
        std::size_t common = 0;
        while (common < std::min(place.depth(), state.depth()) &&
               keyOf(place, common) == keyOf(state, common)) {
            ++common;
        }
        std::size_t shared = 0;
        for (std::size_t key = common; key < modelKeys(place); ++key) {
            for (std::size_t other = common; other < state.depth(); ++other) {
                if (keyOf(place, key) == keyOf(state, other)) {
                    ++shared;
                    break;
                }
            }
        }
        return {common, shared};
    }

    /// The parameters of one name that a state may be of: of several models, those whose paths are
    /// nearest.
    [[nodiscard]] std::vector<std::size_t> nearest(const std::vector<std::size_t>& candidates,
                                                   const Place& state) const {
        std::vector<std::size_t> found;
        std::pair<std::size_t, std::size_t> best{0, 0};
        constexpr std::size_t kMostModels = 64; // so that the search stays linear
        if (candidates.size() == 1 || candidates.size() > kMostModels) {
            return candidates;
        }
        for (const std::size_t candidate : candidates) {
            const auto near = nearness(candidate, state);
            if (near > best) {
                best = near;
                found.clear();
            }
            if (near == best) {
                found.push_back(candidate);
            }
        }
        return found;
    }

    Result<void> relate(const Leaf& leaf) {
        for (std::size_t key = 1; key < leaf.place.depth(); ++key) {
            const auto named = m_names.find(leaf.place.from(key));
            if (named == m_names.end()) {
                continue;
            }
            const std::vector<std::size_t> parameters = nearest(named->second, leaf.place);
            for (const std::size_t number : parameters) {
                m_has[number] = true;
            }
            m_containers.insert(std::string(leaf.place.between(0, key)));
            const std::string_view kind = leaf.place.between(key - 1, key);
            const Shape& shape = m_source.tensor(leaf.tensor).shape;
            const Shape& own = m_source.tensor(m_parameters[parameters.front()].tensor).shape;
            if (shape != own && parameters.size() == 1 &&
                std::ranges::find(kOfOneShape, kind) != kOfOneShape.end()) {
                return fail(ErrorCode::StateWithoutParameter,
                            "The shape of a moment does not match its parameter")
                    .inTensor(m_source.tensor(leaf.tensor).name)
                    .butFound(verbatim(formatDims(shape)))
                    .expecting(verbatim(formatDims(own)));
            }
            return {};
        }
        return {};
    }

    /// An empty node in place of a moment, or of the moments of several parameters: masked ones.
    void mark(const Place& place) {
        for (std::size_t key = 1; key < place.depth(); ++key) {
            const std::string_view name = place.from(key);
            const bool isName = m_names.contains(name) || m_above.contains(name);
            if (isName && m_containers.contains(place.between(0, key))) {
                m_masked.insert(std::string(name));
                return;
            }
        }
    }

    [[nodiscard]] bool isMarked(const Place& place) const {
        const std::size_t model = modelKeys(place);
        for (std::size_t key = model + 1; key <= place.depth(); ++key) {
            if (m_masked.contains(place.between(model, key))) {
                return true;
            }
        }
        return false;
    }

    const Checkpoint& m_source;
    JaxMoments m_found;
    std::vector<Leaf> m_parameters;
    std::vector<Leaf> m_states;
    std::vector<Place> m_placeholders;
    /// Positions in m_parameters, by the name below the model; several: of several models.
    std::unordered_map<std::string_view, std::vector<std::size_t>> m_names;
    std::set<std::string_view> m_above;              ///< containers of parameters
    std::set<std::string, std::less<>> m_containers; ///< of moments
    std::set<std::string, std::less<>> m_masked;
    std::vector<bool> m_has;
};

/// Weights of a model ("params") without any moments: not single arrays, nor averages of weights.
void addParameters(const Checkpoint& source, const Value& value, const std::string& path,
                   bool isModel, JaxMoments& found, int depth = 0) {
    if (const TensorIndex* tensor = value.asTensor()) {
        if (isModel && source.tensor(*tensor).role == Role::Weight) {
            ++found.parameters;
            found.without.push_back(path);
        }
        return;
    }
    std::size_t position = 0;
    for (const ValueItem& item : value.items()) {
        const std::string key =
            item.key.kind() == ValueKind::Null ? std::to_string(position) : keyText(item.key);
        if (depth < Value::kMaxDepth) {
            addParameters(source, item.value, path + "." + key, isModel || key == "params", found,
                          depth + 1);
        }
        ++position;
    }
}

} // namespace

bool isKeyOfOptimizer(std::string_view key) {
    return key.find("opt_state") != std::string_view::npos ||
           names::roleOfKey(names::lowered(key)) == Role::Optimizer;
}

bool isStateOfJax(const Checkpoint& checkpoint) {
    return (checkpoint.format() == "orbax" || checkpoint.format() == "flax") &&
           checkpoint.data().framework != "zarr";
}

std::vector<TrainingLoss> missingMoments(const JaxMoments& moments) {
    std::vector<TrainingLoss> losses;
    if (!moments.without.empty()) {
        losses.push_back(
            {LossId::Moments,
             sentence("moments of %1 of %2: %3", moments.without.size(),
                      counting(moments.parameters, "parameter"), firstNames(moments.without)),
             "frozen or not used so far; otherwise their moments are lost"});
    }
    return losses;
}

Result<JaxMoments> momentsOf(const Checkpoint& source, const Value& tree) {
    return MomentSearch(source).find(tree);
}

Result<JaxMoments> momentsOfState(const Checkpoint& source, const Value& values) {
    std::optional<JaxMoments> only;
    std::size_t states = 0;
    JaxMoments others;
    for (const ValueItem& item : values.items()) {
        CAIRN_TRY(JaxMoments found, momentsOf(source, item.value));
        if (found.parameters > 0 && found.hasOptimizer) {
            only = std::move(found);
            ++states;
        } else {
            addParameters(source, item.value, keyText(item.key), keyText(item.key) == "params",
                          others);
        }
    }
    if (states != 1) {
        return momentsOf(source, values);
    }
    only->parameters += others.parameters;
    if (only->withMoments > 0) {
        only->without.insert(only->without.end(), others.without.begin(), others.without.end());
    }
    return std::move(*only);
}

} // namespace cairn
