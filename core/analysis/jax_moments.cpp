// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/jax_moments.h"

#include "core/analysis/optimizer_health.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>

namespace cairn {
namespace {

constexpr auto kOfOneShape = std::to_array<std::string_view>({"mu", "nu", "trace"});

class MomentSearch {
public:
    explicit MomentSearch(const Checkpoint& source) : m_source(source) {}

    Result<JaxMoments> find(const Value& tree) {
        collect(tree, {}, false, 0);
        for (const Leaf& leaf : m_parameters) {
            const std::string_view name = belowModel(leaf.path);
            if (!m_names.emplace(name, m_found.parameters++).second) {
                m_ambiguous.insert(name);
            }
            for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
                 dot = name.find('.', dot + 1)) {
                m_above.insert(name.substr(0, dot));
            }
        }
        m_has.assign(m_found.parameters, false);
        for (const Leaf& leaf : m_states) {
            CAIRN_CHECK(relate(leaf));
        }
        for (const std::string& path : m_placeholders) {
            mark(path);
        }
        m_found.withMoments = static_cast<std::size_t>(std::ranges::count(m_has, true));
        for (std::size_t i = 0; i < m_parameters.size() && m_found.withMoments > 0; ++i) {
            if (!m_has[m_names.at(belowModel(m_parameters[i].path))] &&
                !isMarked(belowModel(m_parameters[i].path))) {
                m_found.without.push_back(m_parameters[i].path);
            }
        }
        return std::move(m_found);
    }

private:
    struct Leaf {
        std::string path;
        TensorIndex tensor;
    };

    void collect(const Value& value, const std::string& path, bool inOptimizer, int depth) {
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
            collect(item.value, path.empty() ? key : path + "." + key, isOptimizer, depth + 1);
            ++position;
        }
    }

    /// "params.dense.kernel", "generator.params.dense.kernel" → "dense.kernel".
    static std::string_view belowModel(std::string_view path) {
        constexpr std::string_view kParams = ".params.";
        const std::size_t params = path.find(kParams);
        if (params != std::string_view::npos && !path.starts_with("params.")) {
            return path.substr(params + kParams.size());
        }
        const std::size_t dot = path.find('.');
        return dot == std::string_view::npos ? path : path.substr(dot + 1);
    }

    /// Calls `visit` with each way to cut a path into a container and a name below it, until it
    /// returns true.
    static void eachCut(std::string_view path,
                        const std::function<bool(std::string_view, std::string_view)>& visit) {
        for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
             dot = path.find('.', dot + 1)) {
            if (visit(path.substr(0, dot), path.substr(dot + 1))) {
                return;
            }
        }
    }

    Result<void> relate(const Leaf& leaf) {
        Result<void> result;
        eachCut(leaf.path, [&](std::string_view container, std::string_view name) {
            const auto parameter = m_names.find(name);
            if (parameter == m_names.end()) {
                return false;
            }
            const std::size_t number = parameter->second;
            m_has[number] = true;
            m_containers.insert(std::string(container));
            const std::string_view kind = container.substr(container.rfind('.') + 1);
            const Shape& shape = m_source.tensor(leaf.tensor).shape;
            const Shape& own = m_source.tensor(m_parameters[number].tensor).shape;
            if (shape != own && !m_ambiguous.contains(name) &&
                std::ranges::find(kOfOneShape, kind) != kOfOneShape.end()) {
                result = fail(ErrorCode::StateWithoutParameter,
                              "The shape of a moment does not match its parameter")
                             .inTensor(m_source.tensor(leaf.tensor).name)
                             .butFound(verbatim(formatDims(shape)))
                             .expecting(verbatim(formatDims(own)));
            }
            return true;
        });
        return result;
    }

    /// An empty node in place of a moment, or of the moments of several parameters: masked ones.
    void mark(const std::string& path) {
        eachCut(path, [&](std::string_view container, std::string_view name) {
            const bool isName = m_names.contains(name) || m_above.contains(name);
            if (!isName || !m_containers.contains(container)) {
                return false;
            }
            m_masked.insert(std::string(name));
            return true;
        });
    }

    [[nodiscard]] bool isMarked(std::string_view name) const {
        for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
             dot = name.find('.', dot + 1)) {
            if (m_masked.contains(name.substr(0, dot))) {
                return true;
            }
        }
        return m_masked.contains(name);
    }

    const Checkpoint& m_source;
    JaxMoments m_found;
    std::vector<Leaf> m_parameters;
    std::vector<Leaf> m_states;
    std::vector<std::string> m_placeholders;
    std::unordered_map<std::string_view, std::size_t> m_names; ///< positions in m_parameters
    std::set<std::string_view> m_ambiguous;                    ///< of several models
    std::set<std::string_view> m_above;                        ///< containers of parameters
    std::set<std::string, std::less<>> m_containers;           ///< of moments
    std::set<std::string, std::less<>> m_masked;
    std::vector<bool> m_has;
};

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
    for (const ValueItem& item : values.items()) {
        CAIRN_TRY(JaxMoments found, momentsOf(source, item.value));
        if (found.parameters > 0 && found.hasOptimizer) {
            only = std::move(found);
            ++states;
        }
    }
    return states == 1 ? Result<JaxMoments>(std::move(*only)) : momentsOf(source, values);
}

} // namespace cairn
