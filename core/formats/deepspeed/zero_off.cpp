// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/zero_off.h"

#include "core/formats/deepspeed/name_pattern.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::formats::deepspeed {
namespace {

/// What the optimizer holds of one parameter.
struct Kept {
    const TensorEntry* master = nullptr; ///< fp32 training has none: the weight itself is it
    std::vector<std::pair<std::string, const TensorEntry*>> states;
    [[nodiscard]] const TensorEntry* any() const {
        return master != nullptr ? master : states.empty() ? nullptr : states.front().second;
    }
};

/// Trainable tensors of the module, as the optimizer was given them.
std::vector<Parameter> candidates(const Member& model, const ModelStates& states) {
    std::vector<Parameter> found;
    for (const TensorEntry& tensor : model.tensors) {
        if (!tensor.name.starts_with(kModule) || tensor.aliasOf) {
            continue;
        }
        std::string name = tensor.name.substr(kModule.size());
        const bool trainable =
            dtypeInfo(tensor.dtype).kind == DtypeKind::Float && !states.buffers.contains(name);
        if (trainable) {
            found.push_back({std::move(name), tensor.shape, tensor.elements(), 0});
        }
    }
    return found;
}

/// The one way in which the shapes are a subsequence of the parameters: the leftmost is the
/// rightmost.
std::optional<std::vector<std::size_t>> placesOf(const std::vector<const Shape*>& shapes,
                                                 const std::vector<Parameter>& parameters) {
    std::vector<std::size_t> left;
    std::size_t at = 0;
    for (const Shape* shape : shapes) {
        while (at < parameters.size() && !(parameters[at].shape == *shape)) {
            ++at;
        }
        if (at == parameters.size()) {
            return std::nullopt;
        }
        left.push_back(at++);
    }
    std::size_t end = parameters.size();
    for (std::size_t i = shapes.size(); i-- > 0;) {
        while (!(parameters[end - 1].shape == *shapes[i])) { // ends: the leftmost way exists
            --end;
        }
        if (--end != left[i]) {
            return std::nullopt;
        }
    }
    return left;
}

/// The number of parameters in each group of an optimizer.
std::vector<std::size_t> groupSizes(const Value* optimizer) {
    std::vector<std::size_t> sizes;
    const Value* groups = optimizer == nullptr ? nullptr : optimizer->find("param_groups");
    for (std::size_t i = 0; groups != nullptr && i < groups->items().size(); ++i) {
        const Value* params = groups->items()[i].value.find("params");
        sizes.push_back(params == nullptr ? 0 : params->items().size());
    }
    return sizes;
}

void addStates(const Member& model, const Value* optimizer, std::size_t number, Kept& kept) {
    const Value* states = optimizer == nullptr ? nullptr : optimizer->find("state");
    if (states == nullptr || number >= states->items().size()) {
        return;
    }
    const ValueItem* item = &states->items()[number]; // torch numbers them in order
    if (keyText(item->key) != std::to_string(number)) {
        return;
    }
    for (const ValueItem& state : item->value.items()) {
        const TensorEntry* tensor = model.tensor(&state.value);
        const bool parallel = tensor != nullptr && keyText(state.key) != "step" &&
                              (kept.any() == nullptr || tensor->shape == kept.any()->shape);
        if (parallel) {
            kept.states.emplace_back(keyText(state.key), tensor);
        }
    }
}

TensorEntry renamed(Member& model, const TensorEntry& stored, std::string name, Role role) {
    model.used[model.positionOf(&stored)] = true;
    TensorEntry tensor = stored;
    tensor.name = std::move(name);
    tensor.role = role;
    tensor.aliasOf.reset();
    return tensor;
}

Logical logicalOf(Member& model, const Parameter& parameter, const Kept& kept) {
    Logical logical;
    if (kept.master != nullptr) {
        logical.master = renamed(model, *kept.master, parameter.name, Role::Weight);
    }
    for (const auto& [name, tensor] : kept.states) {
        logical.states.push_back(
            renamed(model, *tensor, parameter.name + "." + name, Role::Optimizer));
    }
    return logical;
}

/// FP16_Optimizer (fused): one flat vector for each group; only a group of all parameters can be
/// told apart.
std::vector<Logical> joinFlat(CheckpointData& data, Member& model, const Value& flat,
                              const Value* optimizer, const std::vector<Parameter>& parameters) {
    const TensorEntry* master =
        flat.items().size() == 1 ? model.tensor(&flat.items().front().value) : nullptr;
    std::uint64_t elements = 0;
    for (const Parameter& parameter : parameters) {
        elements += parameter.elements;
    }
    if (master == nullptr || master->shape.size() != 1 || master->elements() != elements) {
        return {};
    }
    Kept kept{master, {}};
    addStates(model, optimizer, 0, kept);
    FlatRanks ranks;
    ranks.parts[0] = {FlatPart{master, kept.states}};
    model.used[model.positionOf(master)] = true;
    for (const auto& [name, tensor] : kept.states) {
        model.used[model.positionOf(tensor)] = true;
    }
    return joinGroups(data, {parameters}, ranks);
}

} // namespace

std::vector<Logical> joinZeroOff(CheckpointData& data, Member& model, const ModelStates& states) {
    const Value* root = model.root.find("optimizer");
    if (root == nullptr || !root->isContainer()) {
        return {};
    }
    const std::vector<Parameter> parameters = candidates(model, states);
    const Value* inner = root->find("optimizer_state_dict");
    const Value* optimizer = inner != nullptr ? inner : root;
    if (const Value* flat = root->find("fp32_groups_flat")) {
        return joinFlat(data, model, *flat, optimizer, parameters);
    }
    std::vector<std::vector<Kept>> groups;
    if (const Value* masters = root->find("fp32_groups")) {
        for (const ValueItem& group : masters->items()) {
            auto& kept = groups.emplace_back();
            for (const ValueItem& item : group.value.items()) {
                kept.push_back({model.tensor(&item.value), {}});
            }
        }
    } else {
        for (const std::size_t size : groupSizes(optimizer)) {
            groups.emplace_back(std::min<std::size_t>(size, parameters.size() + 1));
        }
    }
    std::vector<Logical> joined;
    std::size_t number = 0;
    for (auto& group : groups) {
        std::vector<const Shape*> shapes;
        for (Kept& kept : group) {
            addStates(model, optimizer, number++, kept);
            if (kept.any() != nullptr) {
                shapes.push_back(&kept.any()->shape);
            }
        }
        const auto places =
            shapes.size() == group.size() ? placesOf(shapes, parameters) : std::nullopt;
        for (std::size_t i = 0; places && i < group.size(); ++i) {
            Logical logical = logicalOf(model, parameters[(*places)[i]], group[i]);
            logical.name = parameters[(*places)[i]].name;
            joined.push_back(std::move(logical));
        }
    }
    return joined;
}

} // namespace cairn::formats::deepspeed
