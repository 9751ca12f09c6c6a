// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/keras_pairs.h"

#include "core/jobs/training/keras_groups.h"
#include "core/jobs/training/keras_program.h"
#include "core/model/names/role_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

using formats::tensorflow::GraphObject;

/// Variables of Keras' own layers that are never trained, beside those that are buffers by name.
constexpr auto kNeverTrained =
    std::to_array<std::string_view>({"mean", "variance", "count", "seed_generator_state"});

/// Keras counts with 32 bits in JAX and torch, and with 64 in TensorFlow.
bool isCounter(Dtype dtype) {
    return dtype == Dtype::Int32 || dtype == Dtype::Int64;
}

class Pairing {
public:
    Pairing(const Checkpoint& tensorflow, std::span<const GraphObject> graph,
            const Checkpoint& keras, const Value& values)
        : m_tensorflow(tensorflow), m_keras(keras), m_program(tensorflow, graph) {
        m_names = kerasNames(values);
        m_groups = kerasGroups(keras, m_names);
    }

    Result<KerasPairs> run() {
        CAIRN_CHECK(checkSources());
        CAIRN_CHECK(pairOptimizers());
        CAIRN_CHECK(pairLayers());
        collectRest();
        return std::move(m_found);
    }

private:
    [[nodiscard]] Result<void> checkSources() const {
        if (m_program.isOfKeras2()) {
            return fail(ErrorCode::Unsupported,
                        "The objects of this checkpoint are those of Keras 2, whose optimizers "
                        "number their variables differently")
                .inFile(m_tensorflow.path().string())
                .expecting("a checkpoint of Keras 3");
        }
        if (m_names.empty()) {
            return fail(ErrorCode::Unsupported, "The file does not record the names of its layers")
                .inFile(m_keras.path().string())
                .withHint("Save it with save_weights() of a newer Keras 3");
        }
        for (const KerasGroup& group : m_groups) {
            if (!group.isNumbered) {
                return fail(ErrorCode::Unsupported, "The variables of this layer are not numbered")
                    .inFile(m_keras.path().string())
                    .inField(group.place);
            }
        }
        return {};
    }

    [[nodiscard]] bool countsSteps(const KerasGroup& group) const {
        const TensorEntry* first =
            group.places.empty() ? nullptr : &m_keras.tensor(group.places.front());
        return first != nullptr && first->shape.empty() && isCounter(first->dtype);
    }

    /// By name; the only optimizer of the program may have another number in it ("adam_1").
    Result<KerasGroup*> groupOf(std::string_view name, std::size_t optimizers) {
        std::vector<KerasGroup*> named;
        std::vector<KerasGroup*> all;
        for (KerasGroup& group : m_groups) {
            if (countsSteps(group) && !group.isTaken) {
                if (m_keras.tensor(group.places.front()).role == Role::Optimizer) {
                    all.push_back(&group);
                }
                if (group.name == name) {
                    named.push_back(&group);
                }
            }
        }
        if (named.size() != 1 && optimizers == 1 && all.size() == 1 &&
            withoutNumber(all.front()->name) == withoutNumber(name)) {
            return all.front();
        }
        if (named.size() != 1) {
            return fail(ErrorCode::StateWithoutParameter,
                        named.empty() ? Sentence("The file has no optimizer of this name")
                                      : "The file has several optimizers of this name")
                .inFile(m_keras.path().string())
                .butFound(verbatim(std::string(name)))
                .withHint("Save it from the same program, after compile()");
        }
        return named.front();
    }

    Result<void> pairOptimizers() {
        std::vector<std::size_t> optimizers;
        for (std::size_t i = 0; i < m_program.objects(); ++i) {
            if (m_program.isOptimizer(i)) {
                optimizers.push_back(i);
            }
        }
        if (optimizers.empty()) {
            return fail(ErrorCode::Unsupported,
                        "The checkpoint contains no state of an optimizer of Keras 3")
                .inFile(m_tensorflow.path().string());
        }
        m_found.optimizers = optimizers.size();
        for (const std::size_t optimizer : optimizers) {
            for (const std::size_t trained :
                 m_program.listNamed(optimizer, "_trainable_variables")) {
                m_trained.emplace(trained, m_trained.size());
            }
            const auto state = m_program.stateOf(optimizer);
            if (state.empty()) {
                return fail(ErrorCode::StateWithoutParameter,
                            "The checkpoint lacks variables that its optimizer lists")
                    .inFile(m_tensorflow.path().string());
            }
            const std::string name(lastOf(folderOf(state.front()->name)));
            CAIRN_TRY(KerasGroup * group, groupOf(name, optimizers.size()));
            if (group->places.size() != state.size()) {
                return fail(ErrorCode::StateWithoutParameter,
                            "The optimizers do not have the same number of variables")
                    .inFile(m_keras.path().string())
                    .inField(group->place)
                    .butFound(counting(group->places.size(), "variable"))
                    .expecting(sentence("%1, as in %2", counting(state.size(), "variable"),
                                        m_tensorflow.path().string()))
                    .withHint("optimizer.build(model.trainable_variables) makes them, or one step "
                              "of training; the program must make the same optimizer");
            }
            CAIRN_CHECK(take(*group, state));
            for (const KerasVariable* variable : state) {
                m_ofOptimizers.insert(variable->object);
            }
        }
        return {};
    }

    Result<void> take(KerasGroup& group, const std::vector<const KerasVariable*>& variables) {
        for (std::size_t i = 0; i < variables.size(); ++i) {
            const TensorEntry& variable = m_program.tensorOf(*variables[i]);
            const TensorEntry& place = m_keras.tensor(group.places[i]);
            const bool sameKind = variable.dtype == place.dtype ||
                                  (isCounter(variable.dtype) && isCounter(place.dtype));
            if (variable.shape != place.shape || !sameKind) {
                return fail(ErrorCode::StateWithoutParameter,
                            "The variable does not match its place in the file of Keras")
                    .inTensor(place.name)
                    .butFound(
                        sentence("%1 of shape %2", dtypeName(place.dtype), formatDims(place.shape)))
                    .expecting(sentence("%1 of shape %2, as %3 has", dtypeName(variable.dtype),
                                        formatDims(variable.shape), variables[i]->name))
                    .withHint("Both must be of the same program");
            }
            m_found.pairs.push_back({variables[i]->tensor, group.places[i]});
            m_placed.insert(variables[i]->tensor);
        }
        group.isTaken = true;
        return {};
    }

    /// "dense", "inner/dense", "model/inner/dense": the ends of the names around a group.
    [[nodiscard]] std::vector<std::string> namesOf(const KerasGroup& group) const {
        std::vector<std::string> ends;
        std::string end;
        std::string_view place = group.place;
        while (true) {
            if (const auto name = m_names.find(place); name != m_names.end()) {
                end = end.empty() ? name->second : name->second + "/" + end;
                ends.push_back(end);
            } else if (end.empty()) {
                return {};
            }
            if (place.empty()) {
                return ends;
            }
            place = folderOf(place);
        }
    }

    Result<void> pairLayers() {
        std::map<std::string, std::vector<const KerasVariable*>, std::less<>> layers;
        for (const auto& [object, variable] : m_program.variables()) {
            if (!m_ofOptimizers.contains(object) && !variable.name.empty()) {
                layers[std::string(folderOf(variable.name))].push_back(&variable);
            }
        }
        OpenGroups open;
        for (KerasGroup& group : m_groups) {
            if (group.isTaken || group.places.empty()) {
                continue;
            }
            open.push_back({&group, {}});
            for (std::string& name : namesOf(group)) {
                if (layers.contains(name)) {
                    open.back().second.insert(std::move(name));
                }
            }
        }
        // A layer with one name, or a name with one layer, is decided; that may decide others.
        for (bool isAnyDecided = true; isAnyDecided;) {
            isAnyDecided = false;
            std::map<std::string, std::size_t, std::less<>> uses;
            for (const auto& [group, names] : open) {
                for (const std::string& name : names) {
                    ++uses[name];
                }
            }
            for (auto& [group, names] : open) {
                const std::string name = decidedName(names, uses, open);
                if (name.empty()) {
                    continue;
                }
                CAIRN_CHECK(takeLayer(*group, layers.find(name)->second));
                for (auto& [other, others] : open) {
                    others.erase(name);
                }
                names.clear();
                isAnyDecided = true;
                break;
            }
            std::erase_if(open, [](const auto& each) { return each.first->isTaken; });
        }
        for (const auto& [group, names] : open) {
            if (!names.empty()) {
                return fail(ErrorCode::StateWithoutParameter,
                            "The names of the layers do not relate this one to one variable")
                    .inFile(m_keras.path().string())
                    .inField(group->place)
                    .butFound(verbatim(group->name))
                    .withHint("Give the layers of the program names of their own");
            }
        }
        return {};
    }

    using OpenGroups = std::vector<std::pair<KerasGroup*, std::set<std::string>>>;

    /// The one name that a group may have, unless another one may have only this, too; or the one
    /// that no other may have. Empty: undecided so far.
    static std::string decidedName(const std::set<std::string>& names,
                                   const std::map<std::string, std::size_t, std::less<>>& uses,
                                   const OpenGroups& open) {
        if (names.size() == 1) {
            const auto sameOnly =
                std::ranges::count_if(open, [&](const auto& each) { return each.second == names; });
            return sameOnly == 1 ? *names.begin() : std::string();
        }
        const auto isOwn = [&](const std::string& name) { return uses.find(name)->second == 1; };
        return std::ranges::count_if(names, isOwn) == 1 ? *std::ranges::find_if(names, isOwn)
                                                        : std::string();
    }

    enum class Kind : std::uint8_t { Trained, Parameter, NeverTrained, Unknown };
    [[nodiscard]] Kind kindOf(const KerasVariable& variable) const {
        const std::string_view leaf = lastOf(variable.name);
        if (m_trained.contains(variable.object)) {
            return Kind::Trained;
        }
        if (m_program.tensorOf(variable).role == Role::Buffer || names::isBufferName(leaf) ||
            std::ranges::find(kNeverTrained, leaf) != kNeverTrained.end()) {
            return Kind::NeverTrained;
        }
        return names::isParameterName(leaf) ? Kind::Parameter : Kind::Unknown;
    }

    /// As Keras numbers them: those that were made to be trained, then the others.
    Result<void> takeLayer(KerasGroup& group, std::vector<const KerasVariable*> variables) {
        if (group.places.size() != variables.size()) {
            return fail(ErrorCode::StateWithoutParameter,
                        "The layers do not have the same number of variables")
                .inFile(m_keras.path().string())
                .inField(group.place)
                .butFound(counting(group.places.size(), "variable"))
                .expecting(sentence("%1, as in %2", counting(variables.size(), "variable"),
                                    m_tensorflow.path().string()))
                .withHint("TensorFlow does not name the layers inside a subclassed model: such a "
                          "program loads the checkpoint itself, and saves it with save_weights()");
        }
        const bool isTrained = std::ranges::any_of(
            variables, [&](const KerasVariable* each) { return kindOf(*each) == Kind::Trained; });
        const bool isPart =
            isTrained && std::ranges::any_of(variables, [&](const KerasVariable* each) {
                const Kind kind = kindOf(*each);
                return kind == Kind::Parameter || kind == Kind::Unknown;
            });
        const auto made =
            isPart ? m_program.orderOf(variables) : std::map<std::size_t, std::size_t>();
        const auto rank = [&](const KerasVariable* variable) {
            const Kind kind = kindOf(*variable);
            const auto trained = m_trained.find(variable->object);
            const bool isParameter = kind == Kind::Trained || kind == Kind::Parameter;
            if (const auto place = made.find(variable->object);
                isParameter && place != made.end()) {
                return std::pair(std::size_t{0}, place->second);
            }
            if (trained != m_trained.end()) {
                return std::pair(std::size_t{0}, trained->second);
            }
            return std::pair(isParameter ? std::size_t{1} : std::size_t{2}, variable->object);
        };
        std::ranges::sort(variables, {}, rank);
        if (isTrained ? isPart && isPartUndecided(variables, !made.empty())
                      : isUndecided(variables)) {
            m_found.undecided.push_back(group.place);
        }
        return take(group, variables);
    }

    [[nodiscard]] bool areAlike(const KerasVariable& one, const KerasVariable& other) const {
        const TensorEntry& left = m_program.tensorOf(one);
        const TensorEntry& right = m_program.tensorOf(other);
        return &one != &other && left.shape == right.shape && left.dtype == right.dtype;
    }

    /// Of a layer of which a part is trained: whether it matters, and is unknown, where the others
    /// were made. `variables`: in their order.
    [[nodiscard]] bool isPartUndecided(const std::vector<const KerasVariable*>& variables,
                                       bool hasOrder) const {
        std::vector<std::size_t> trained; // Keras lists these in the order in which they were made
        for (const KerasVariable* one : variables) {
            const Kind kind = kindOf(*one);
            if (kind == Kind::Trained) {
                trained.push_back(m_trained.at(one->object));
            }
            const bool isOpen = kind == Kind::Unknown || (kind == Kind::Parameter && !hasOrder);
            if (isOpen && std::ranges::any_of(variables, [&](const KerasVariable* other) {
                    return areAlike(*one, *other);
                })) {
                return true;
            }
        }
        return !std::ranges::is_sorted(trained);
    }

    /// Whether it matters, and is unknown, which of them can be trained.
    [[nodiscard]] bool isUndecided(const std::vector<const KerasVariable*>& variables) const {
        for (const KerasVariable* one : variables) {
            for (const KerasVariable* other : variables) {
                if (kindOf(*one) == Kind::Unknown && areAlike(*one, *other)) {
                    return true;
                }
            }
        }
        return false;
    }

    void collectRest() {
        for (const auto& [object, variable] : m_program.variables()) {
            if (m_placed.insert(variable.tensor).second) {
                m_found.variables.push_back(variable.tensor);
            }
        }
        for (std::size_t i = 0; i < m_tensorflow.tensors().size(); ++i) {
            const bool isElement = m_tensorflow.tensors()[i].dtype != Dtype::String;
            if (isElement && m_placed.insert(TensorIndex(i)).second) {
                m_found.variables.push_back(TensorIndex(i));
            }
        }
        std::set<TensorIndex> taken;
        for (const KerasPairs::Pair& pair : m_found.pairs) {
            taken.insert(pair.place);
        }
        for (std::size_t i = 0; i < m_keras.tensors().size(); ++i) {
            if (!taken.contains(TensorIndex(i))) {
                m_found.places.push_back(TensorIndex(i));
            }
        }
    }

    const Checkpoint& m_tensorflow;
    const Checkpoint& m_keras;
    KerasProgram m_program;
    KerasNames m_names; ///< of layers, by their places
    std::vector<KerasGroup> m_groups;
    std::map<std::size_t, std::size_t> m_trained; ///< object -> order in its optimizer
    std::set<std::size_t> m_ofOptimizers;         ///< objects
    std::set<TensorIndex> m_placed;
    KerasPairs m_found;
};

} // namespace

Result<KerasPairs> pairKerasVariables(const Checkpoint& tensorflow,
                                      std::span<const GraphObject> graph, const Checkpoint& keras,
                                      const Value& values) {
    return Pairing(tensorflow, graph, keras, values).run();
}

} // namespace cairn
