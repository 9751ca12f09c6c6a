// SPDX-License-Identifier: Apache-2.0
#include "core/model/role_decision.h"

#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/role_content.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

constexpr int kMaxWrappers = 3;

bool shapeLess(const Shape& a, const Shape& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

/// "opt/target/embedding/kernel": optimizers of old JAX programs contain the parameters that they
/// train as their target.
bool isTarget(std::string_view name, std::string_view key) {
    std::string_view rest = name.substr(std::min(name.size(), name.find(key) + key.size() + 1));
    return (key == "opt" || key == "optimizer") &&
           rest.substr(0, rest.find_first_of(names::kPartEnds)) == "target";
}

/// The role of a key; keys of a state dict contain dots.
std::optional<Role> roleOf(std::string_view key) {
    constexpr std::size_t kLongest = 40;
    const bool word = key.size() <= kLongest && key.find('.') == std::string_view::npos;
    return word ? names::roleOfKey(names::lowered(key)) : std::nullopt;
}

/// A tensor under an unsplit key: of a state dict, or of a format without nesting.
struct Flat {
    std::string_view key;
    std::size_t tensor = 0;
};

/// The parts of one dict without a known role, which averages and moments repeat. Data for
/// comparisons is built once, on demand.
class Others {
public:
    Others(const std::vector<RolePart>& parts, std::span<const TensorEntry> tensors)
        : m_parts(parts), m_tensors(tensors) {}

    /// Whether the average is a copy of a model. Averages often omit what is not trained, and use
    /// other names.
    [[nodiscard]] bool holdCopyOf(const RolePart& average) {
        constexpr std::size_t kMost = 64; // limit, because each is compared with all others
        const Shapes own = shapesOf(average.tensors, m_tensors);
        if (own.empty() || ++m_compared > kMost) {
            return false;
        }
        prepare();
        return std::ranges::any_of(m_shapes,
                                   [&](const Shapes& other) { return isCopy(own, other); });
    }

    /// Whether `part` contains a tensor of the same shape for each tensor here: "opt/m/dense/w" for
    /// "dense/w". Optimizers have several tensors for a parameter, each kind under a separate
    /// component.
    [[nodiscard]] bool areMirroredBy(const RolePart& part, Role role) {
        prepare();
        std::size_t mirrored = 0;
        return std::ranges::all_of(part.tensors,
                                   [&](std::size_t i) {
                                       const bool scalar = m_tensors[i].shape.empty();
                                       mirrored += scalar ? 0 : 1;
                                       return scalar || isMirror(m_tensors[i], part.key, role);
                                   }) &&
               mirrored > 0;
    }

private:
    [[nodiscard]] bool isMirror(const TensorEntry& tensor, std::string_view key, Role role) const {
        constexpr int kMostParts = 8; // components before the model's own name
        std::string_view rest = tensor.name;
        bool inside = false; // after the part's key
        bool kind = role != Role::Optimizer;
        for (int i = 0; i < kMostParts; ++i) {
            const std::size_t end = rest.find_first_of(names::kPartEnds);
            if (end == std::string_view::npos) {
                return false;
            }
            kind = kind || inside;
            inside = inside || rest.substr(0, end) == key;
            rest.remove_prefix(end + 1);
            const auto found = m_known.find(rest);
            if (kind && found != m_known.end() && m_tensors[found->second].shape == tensor.shape) {
                return true;
            }
        }
        return false;
    }

    void prepare() {
        if (std::exchange(m_ready, true)) {
            return;
        }
        for (const RolePart& part : m_parts) {
            if (roleOf(part.key)) {
                continue;
            }
            m_shapes.push_back(shapesOf(part.tensors, m_tensors));
            for (const std::size_t i : part.tensors) {
                const std::string_view name = m_tensors[i].name;
                m_known.emplace(name, i);
                if (names::isModelKey(part.key)) {
                    m_known.emplace(name.substr(std::min(name.size(), part.key.size() + 1)), i);
                }
            }
        }
    }

    const std::vector<RolePart>& m_parts;
    std::span<const TensorEntry> m_tensors;
    bool m_ready = false;
    std::size_t m_compared = 0;
    std::vector<Shapes> m_shapes;
    std::unordered_map<std::string_view, std::size_t> m_known; ///< tensors, by the model's names
};

class Decision {
public:
    Decision(std::span<TensorEntry> tensors, const PartsBelow& below)
        : m_tensors(tensors), m_below(below) {}

    void nested(const std::vector<RolePart>& parts, int depth) {
        const bool containers = std::ranges::any_of(parts, &RolePart::container);
        const bool loop =
            std::ranges::any_of(parts, [&](const RolePart& part) { return showsLoop(part); });
        const bool framework = std::ranges::any_of(
            parts, [](const RolePart& part) { return part.key == "pytorch-lightning_version"; });
        Others others(parts, m_tensors);
        const bool open = containers && std::ranges::any_of(parts, isStateDictEntry);
        std::vector<Flat> stateDict;
        for (const RolePart& part : parts) {
            const auto role = roleOf(part.key);
            if (role && part.container) {
                container(part, *role, loop || open, framework, others);
            } else if (role && (loop || containers)) {
                leaf(part, *role);
            } else if (depth < kMaxWrappers && isWrapper(part)) {
                nested(m_below(part), depth + 1);
            } else if (loop && containers && isMeasurePart(part)) {
                set(part, Role::TrainingState, open ? RoleBasis::Name : RoleBasis::Structure);
            } else if (!part.container) {
                for (const std::size_t i : part.tensors) {
                    stateDict.push_back({part.key, i});
                }
            }
        }
        flat(stateDict, true);
    }

    /// Decides by names: "model.0.weight", "optimizer.state.0.exp_avg". `inDict`: they are the keys
    /// of a saved dict, which usually is a model's.
    void flat(std::vector<Flat> all, bool inDict) {
        std::vector<RolePart> groups = groupsOf(all);
        for (int i = 0; !inDict && i < kMaxWrappers && groups.size() == 1 &&
                        names::isWrapperKey(groups.front().key);
             ++i) {
            for (Flat& each : all) {
                each.key.remove_prefix(std::min(each.key.size(), groups.front().key.size() + 1));
            }
            groups = groupsOf(all);
        }
        bool model = false;
        bool only = true;     // only a model and training data
        bool modules = false; // role words that are module names here
        for (const RolePart& group : groups) {
            const bool isModel = names::isModelKey(group.key);
            model = model || isModel;
            only = only && (isModel || roleOf(group.key) || names::isAverageKey(group.key) ||
                            isCounter(group));
            modules = modules || hasModule(group);
        }
        Others others(groups, m_tensors);
        for (const RolePart& group : groups) {
            const auto role = roleOf(group.key);
            if (role) {
                const bool copies =
                    *role == Role::Optimizer || (*role == Role::Ema && !inDict && !modules);
                flatGroup(group, *role, model && only && !modules && !inDict, copies, others);
            }
        }
    }

private:
    [[nodiscard]] RoleContent content(const RolePart& part) const {
        return roleContent(part.tensors, m_tensors);
    }

    /// A single tensor beside the model: "best_loss".
    [[nodiscard]] bool isMeasurePart(const RolePart& part) const {
        return !part.container && part.tensors.size() == 1 &&
               isMeasure(part.key, m_tensors[part.tensors.front()].shape);
    }

    /// Single numbers beside a model: "step", "epoch".
    [[nodiscard]] bool isCounter(const RolePart& group) const {
        return std::ranges::all_of(group.tensors,
                                   [&](std::size_t i) { return m_tensors[i].shape.empty(); });
    }

    /// The key is "layer.0.weight": the entries of a state dict are mixed with the other parts.
    static bool isStateDictEntry(const RolePart& part) {
        return !part.container && !part.tensors.empty() &&
               part.key.find('.') != std::string_view::npos;
    }

    /// "app", or {"agent": {"policy": …, "optimizer": …}}: a loop's state inside another dict.
    [[nodiscard]] bool isWrapper(const RolePart& part) const {
        return part.container && (names::isWrapperKey(part.key) ||
                                  std::ranges::any_of(part.tensors, [&](std::size_t i) {
                                      return m_tensors[i].role == Role::Optimizer;
                                  }));
    }

    /// A part that training loops have and module trees do not.
    [[nodiscard]] bool showsLoop(const RolePart& part) const {
        const bool holds = part.container && !part.tensors.empty();
        if (names::isModelKey(names::lowered(part.key)) && (part.empty || holds)) {
            return true;
        }
        if (part.tensors.empty()) {
            return roleOf(part.key).has_value() || names::namesAMeasure(part.key);
        }
        const bool optimizer = std::ranges::all_of(
            part.tensors, [&](std::size_t i) { return m_tensors[i].role == Role::Optimizer; });
        return part.container &&
               (optimizer || (roleOf(part.key) == Role::Optimizer && content(part).optimizer));
    }

    /// `known`: beside other parts of a loop; `framework`: under a key that its framework's loader
    /// reads.
    void container(const RolePart& part, Role role, bool known, bool framework, Others& others) {
        if (part.tensors.empty()) {
            return;
        }
        const RoleContent in = content(part);
        if (role == Role::Rng && in.unlike(role)) {
            return; // generators only have integers
        }
        const bool agrees = (role == Role::Optimizer && in.optimizer) ||
                            (role == Role::Rng && in.generator()) ||
                            (role == Role::Ema && others.holdCopyOf(part));
        if (agrees) {
            set(part, role, RoleBasis::Structure);
        } else if (known) {
            const bool doubt =
                !framework && role != Role::Ema && (in.parameters || in.unlike(role));
            set(part, role, doubt ? RoleBasis::Name : RoleBasis::Structure);
        } else if (!in.parameters && !in.unlike(role) && role != Role::Ema) {
            set(part, role, RoleBasis::Name);
        }
    }

    /// A single tensor among the parts of a loop's state.
    void leaf(const RolePart& part, Role role) {
        const RoleContent in = content(part);
        if (role == Role::Rng && in.unlike(role)) {
            return;
        }
        const bool generator = role == Role::Rng && in.generator();
        set(part, role, generator ? RoleBasis::Structure : RoleBasis::Name);
    }

    void flatGroup(const RolePart& group, Role role, bool besideModel, bool copies,
                   Others& others) {
        const RoleContent in = content(group);
        const bool agrees = (role == Role::Optimizer && in.optimizer) ||
                            (role == Role::Rng && in.generator() && besideModel) ||
                            (role == Role::Ema && isLitEma(group) && others.holdCopyOf(group));
        if (agrees) {
            set(group, role, RoleBasis::Structure);
            return;
        }
        const bool doubted = besideModel && !in.parameters && !in.unlike(role) &&
                             (role != Role::Ema || others.holdCopyOf(group));
        if (doubted || (copies && others.areMirroredBy(group, role))) {
            set(group, role, RoleBasis::Name);
        }
    }

    /// "scheduler.weight": neither schedulers nor generators nor a loop's counters have parameters.
    [[nodiscard]] bool hasModule(const RolePart& group) const {
        const auto role = roleOf(group.key);
        return role && role != Role::Optimizer && role != Role::Ema && content(group).parameters;
    }

    /// The average in diffusion models (LitEma): its names lack the dots of the model's names.
    [[nodiscard]] bool isLitEma(const RolePart& group) const {
        const auto has = [&](std::string_view leaf) {
            return std::ranges::any_of(group.tensors, [&](std::size_t i) {
                const std::string_view name = m_tensors[i].name;
                return m_tensors[i].shape.empty() && name.ends_with(leaf);
            });
        };
        return has(".decay") && has(".num_updates");
    }

    void set(const RolePart& part, Role role, RoleBasis basis) {
        for (const std::size_t i : part.tensors) {
            if (isModelRole(m_tensors[i].role) && !isTarget(m_tensors[i].name, part.key)) {
                m_tensors[i].role = role;
                m_tensors[i].roleBasis = basis;
            }
        }
    }

    /// Groups by the first component of each name, skipping "chained_0." of several optimizers.
    static std::vector<RolePart> groupsOf(const std::vector<Flat>& all) {
        std::vector<RolePart> groups;
        std::unordered_map<std::string_view, std::size_t> known;
        for (const Flat& each : all) {
            std::string_view rest = each.key;
            for (int i = 0; i < kMaxWrappers && rest.starts_with("chained_"); ++i) {
                rest.remove_prefix(std::min(rest.size(), rest.find_first_of(names::kPartEnds) + 1));
            }
            const std::string_view first = rest.substr(0, rest.find_first_of(names::kPartEnds));
            const auto [at, isNew] = known.try_emplace(first, groups.size());
            if (isNew) {
                groups.push_back({first, true, false, {}, 0});
            }
            groups[at->second].tensors.push_back(each.tensor);
        }
        return groups;
    }

    std::span<TensorEntry> m_tensors;
    const PartsBelow& m_below;
};

} // namespace

bool isModelRole(Role role) {
    return role == Role::Weight || role == Role::Buffer;
}

Shapes shapesOf(const std::vector<std::size_t>& positions, std::span<const TensorEntry> tensors) {
    Shapes shapes;
    for (const std::size_t i : positions) {
        if (!tensors[i].shape.empty()) {
            shapes.push_back(tensors[i].shape);
        }
    }
    std::ranges::sort(shapes, shapeLess);
    return shapes;
}

bool isCopy(const Shapes& average, const Shapes& model) {
    return !average.empty() &&
           std::includes(model.begin(), model.end(), average.begin(), average.end(), shapeLess);
}

bool isMeasure(std::string_view key, const Shape& shape) {
    return shape.empty() ? names::namesAMeasure(key) : names::namesACurve(key);
}

Role modelRole(std::string_view name) {
    return names::isBufferName(name) ? Role::Buffer : Role::Weight;
}

void decideRoles(const std::vector<RolePart>& parts, const PartsBelow& below,
                 std::span<TensorEntry> tensors) {
    Decision(tensors, below).nested(parts, 0);
}

void decideRolesByName(std::span<TensorEntry> tensors) {
    std::vector<Flat> all;
    all.reserve(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i].role = modelRole(tensors[i].name);
        all.push_back({tensors[i].name, i});
    }
    Decision(tensors, {}).flat(std::move(all), false);
}

} // namespace cairn
