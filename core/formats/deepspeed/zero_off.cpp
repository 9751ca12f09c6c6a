// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/zero_off.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/master_names.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace cairn::formats::deepspeed {
namespace {

TensorEntry renamed(Member& model, const TensorEntry& stored, std::string name, Role role) {
    model.used[model.positionOf(&stored)] = true;
    TensorEntry tensor = stored;
    tensor.name = std::move(name);
    tensor.role = role;
    tensor.aliasOf.reset();
    return tensor;
}

void noteUnnamed(CheckpointData& data, const Member& member, Sentence found) {
    addNotice(
        data, Severity::Warning,
        fail(ErrorCode::ShardsNotJoined,
             "It is unknown which parameters the fp32 master weights belong to; they are shown by "
             "their position in the file, and the model's weights are the 16-bit ones")
            .inFile(member.name)
            .inField("fp32_groups")
            .butFound(std::move(found)));
}

/// The groups of the optimizer: number of parameters, and whether they belong to experts.
struct ParameterGroup {
    std::size_t parameters = 0;
    bool experts = false;
};

std::vector<ParameterGroup> parameterGroups(const Value& optimizer) {
    std::vector<ParameterGroup> groups;
    const Value* listed = optimizer.find("param_groups");
    for (std::size_t i = 0; listed != nullptr && i < listed->items().size(); ++i) {
        const Value& group = listed->items()[i].value;
        const Value* parameters = group.find("params");
        const Value* moe = group.find("moe");
        const bool* experts = moe == nullptr ? nullptr : moe->asBool();
        groups.push_back({parameters == nullptr ? 0 : parameters->items().size(),
                          experts != nullptr && *experts});
    }
    return groups;
}

} // namespace

std::uint64_t elementsOf(const std::vector<Parameter>& parameters) {
    std::uint64_t elements = 0;
    for (const Parameter& parameter : parameters) {
        elements += parameter.elements;
    }
    return elements;
}

void addTrainable(const Member& file, const ModelStates& states, std::string_view container,
                  std::string_view instead, Trainable& trainable) {
    for (const TensorEntry& tensor : file.tensors) {
        if (!tensor.name.starts_with(container) || tensor.aliasOf) {
            continue;
        }
        std::string name = std::string(instead) + tensor.name.substr(container.size());
        if (dtypeInfo(tensor.dtype).kind == DtypeKind::Float && !states.buffers.contains(name)) {
            trainable.parameters.push_back({std::move(name), tensor.shape, tensor.elements(), 0});
            trainable.copies.push_back(&tensor);
        }
    }
}

std::optional<ZeroOffOptimizer> ZeroOffOptimizer::read(const Member& member) {
    const Value* root = member.root.find("optimizer");
    if (root == nullptr || !root->isContainer()) {
        return std::nullopt;
    }
    const Value* inner = root->find("optimizer_state_dict");
    const Value* optimizer = inner != nullptr ? inner : root;
    const auto recorded = parameterGroups(*optimizer);
    ZeroOffOptimizer read;
    read.m_states = optimizer->find("state");
    const Value* flat = root->find("fp32_groups_flat");
    const Value* masters = flat != nullptr ? flat : root->find("fp32_groups");
    read.m_flat = flat != nullptr;
    // A pickle can contain long lists at no cost by sharing, but every parameter needs a tensor.
    std::size_t left = member.tensors.size();
    std::size_t number = 0;
    const std::size_t groups = masters != nullptr ? masters->items().size() : recorded.size();
    for (std::size_t g = 0; g < groups && left > 0; ++g) {
        const Value* group = masters != nullptr ? &masters->items()[g].value : nullptr;
        const std::size_t count = read.m_flat        ? 1
                                  : group != nullptr ? group->items().size()
                                                     : recorded[g].parameters;
        if (count > left) {
            break;
        }
        left -= count;
        Group& added = read.m_groups.emplace_back();
        added.experts = g < recorded.size() && recorded[g].experts;
        for (std::size_t i = 0; i < count; ++i) {
            Kept& kept = added.kept.emplace_back();
            if (group != nullptr) {
                kept.master = member.tensor(read.m_flat ? group : &group->items()[i].value);
            }
            read.addStates(member, number++, kept);
        }
    }
    return read;
}

void ZeroOffOptimizer::addStates(const Member& member, std::size_t number, Kept& kept) const {
    if (m_states == nullptr || number >= m_states->items().size()) {
        return;
    }
    const ValueItem* item = &m_states->items()[number]; // torch numbers them in order
    if (keyText(item->key) != std::to_string(number)) {
        return;
    }
    for (const ValueItem& state : item->value.items()) {
        const TensorEntry* tensor = member.tensor(&state.value);
        if (keyText(state.key) == "step") {
            kept.step = tensor;
            continue;
        }
        const bool parallel =
            tensor != nullptr && (kept.any() == nullptr || tensor->shape == kept.any()->shape);
        if (parallel) {
            kept.states.emplace_back(keyText(state.key), tensor);
        }
    }
}

std::vector<Shape> ZeroOffOptimizer::shapes() const {
    std::vector<Shape> found;
    for (const Group& group : m_groups) {
        for (const Kept& kept : group.kept) {
            if (!m_flat && !group.experts && kept.any() != nullptr) {
                found.push_back(kept.any()->shape);
            }
        }
    }
    return found;
}

std::uint64_t ZeroOffOptimizer::expertElements() const {
    std::uint64_t elements = 0;
    for (const Group& group : m_groups) {
        for (const Kept& kept : group.kept) {
            elements += group.experts && kept.any() != nullptr ? kept.any()->elements() : 0;
        }
    }
    return elements;
}

Logical ZeroOffOptimizer::logicalOf(Member& member, const Parameter& parameter, const Kept& kept) {
    Logical logical;
    logical.name = parameter.name;
    if (kept.master != nullptr) {
        logical.master = renamed(member, *kept.master, parameter.name, Role::Weight);
    }
    for (const auto& [name, tensor] : kept.states) {
        logical.states.push_back(
            renamed(member, *tensor, parameter.name + "." + name, Role::Optimizer));
    }
    return logical;
}

void ZeroOffOptimizer::markUsed(Member& member, const Kept& kept) {
    if (kept.master != nullptr) {
        member.used[member.positionOf(kept.master)] = true;
    }
    for (const auto& [name, tensor] : kept.states) {
        member.used[member.positionOf(tensor)] = true;
    }
}

/// FP16_Optimizer (fused): one flat vector per group; only a group of all parameters of its kind
/// can be identified.
std::vector<Logical> ZeroOffOptimizer::joinFlat(CheckpointData& data, Member& member,
                                                GroupKind kind,
                                                const std::vector<Parameter>& parameters,
                                                MasterNames* names) const {
    const auto isKind = [&](const Group& group) {
        return group.experts == (kind == GroupKind::Experts);
    };
    const auto group = std::ranges::find_if(m_groups, isKind);
    if (std::ranges::count_if(m_groups, isKind) != 1) {
        return {};
    }
    const Kept& kept = group->kept.front();
    if (kept.master == nullptr || kept.master->shape.size() != 1 ||
        kept.master->elements() != elementsOf(parameters)) {
        return {};
    }
    FlatRanks ranks;
    ranks.parts[0] = {FlatPart{kept.master, kept.states}};
    auto joined = joinGroups(data, {parameters}, ranks);
    const auto contradicts = [&](const Logical& logical) { return names->contradicts(logical); };
    if (names != nullptr && std::ranges::any_of(joined, contradicts)) {
        noteUnnamed(data, member,
                    "flat master weights that do not round to them in the module's order");
        return {};
    }
    markUsed(member, kept);
    return joined;
}

std::vector<Logical> ZeroOffOptimizer::joinDense(CheckpointData& data, Member& member,
                                                 MasterNames& names) const {
    std::vector<Logical> joined;
    std::size_t unnamed = 0;
    for (const Group& group : m_groups) {
        std::vector<const Shape*> shapes;
        std::vector<const TensorEntry*> masters;
        for (const Kept& kept : group.kept) {
            if (kept.any() != nullptr) {
                shapes.push_back(&kept.any()->shape);
            }
            masters.push_back(kept.master);
        }
        if (group.experts || shapes.size() != group.kept.size()) {
            continue;
        }
        const auto places = names.name(shapes, masters);
        for (std::size_t i = 0; i < group.kept.size(); ++i) {
            if (places[i]) {
                joined.push_back(logicalOf(member, names.parameters()[*places[i]], group.kept[i]));
            } else {
                unnamed += masters[i] != nullptr ? 1 : 0;
            }
        }
    }
    if (unnamed > 0) {
        noteUnnamed(
            data, member,
            sentence("%1 master weights that round to several of them, or to none", unnamed));
    }
    return joined;
}

/// Large groups of experts are split into several consecutive ones (max_group_size).
std::vector<Logical> ZeroOffOptimizer::joinExperts(Member& member,
                                                   const std::vector<Parameter>& parameters) const {
    std::vector<const Kept*> all;
    for (const Group& group : m_groups) {
        for (const Kept& kept : group.kept) {
            if (group.experts) {
                all.push_back(&kept);
            }
        }
    }
    const bool fits =
        std::ranges::equal(all, parameters, [](const Kept* kept, const Parameter& parameter) {
            return kept->any() != nullptr && kept->any()->shape == parameter.shape;
        });
    std::vector<Logical> joined;
    for (std::size_t i = 0; fits && i < all.size(); ++i) {
        joined.push_back(logicalOf(member, parameters[i], *all[i]));
    }
    return joined;
}

std::vector<Logical> ZeroOffOptimizer::join(CheckpointData& data, Member& member,
                                            MasterNames* dense,
                                            const std::vector<Parameter>* experts) const {
    std::vector<Logical> joined;
    if (dense != nullptr) {
        joined = m_flat ? joinFlat(data, member, GroupKind::Dense, dense->parameters(), dense)
                        : joinDense(data, member, *dense);
    }
    if (experts != nullptr) {
        std::ranges::move(m_flat ? joinFlat(data, member, GroupKind::Experts, *experts, nullptr)
                                 : joinExperts(member, *experts),
                          std::back_inserter(joined));
    }
    for (const Group& group : m_groups) {
        for (const Kept& kept : group.kept) {
            if (group.experts ? experts != nullptr : dense != nullptr) {
                continue;
            }
            markUsed(member, kept);
            if (kept.step != nullptr) {
                member.used[member.positionOf(kept.step)] = true;
            }
        }
    }
    return joined;
}

} // namespace cairn::formats::deepspeed
