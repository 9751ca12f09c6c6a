// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/model_states.h"

#include <algorithm>
#include <map>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::int64_t kMaxWorld = 1'000'000;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 60U;

std::vector<Parameter> readShapes(const Value& dict, std::vector<std::string>& unreadable) {
    std::vector<Parameter> parameters;
    for (const ValueItem& item : dict.items()) {
        const auto shape = shapeOf(item.value);
        if (!shape) {
            unreadable.push_back(keyText(item.key));
            continue;
        }
        parameters.push_back({keyText(item.key), *shape, *elementCount(*shape), 0});
    }
    return parameters;
}

std::optional<std::int64_t> worldOf(const Value* value) {
    const auto number = integerOf(value);
    return number && *number > 0 && *number <= kMaxWorld ? number : std::nullopt;
}

/// Reads an optimizer's state over flat parts: {"exp_avg": tensor, …, "step": number or tensor}.
void readStates(const Member& member, const Value& states, FlatPart& part) {
    for (const ValueItem& item : states.items()) {
        const TensorEntry* tensor = member.tensor(&item.value);
        const bool parallel = tensor != nullptr && tensor->shape.size() == 1 &&
                              part.master != nullptr &&
                              tensor->elements() >= part.master->elements();
        // A one-element "step" next to a one-element master is not a moment.
        if (parallel && keyText(item.key) != "step") {
            part.states.emplace_back(keyText(item.key), tensor);
        }
    }
}

/// The optimizer state of each group, by its position.
std::map<std::string, const Value*> statesByGroup(const Value* optimizer) {
    std::map<std::string, const Value*> found;
    const Value* states = optimizer == nullptr ? nullptr : optimizer->find("state");
    states = states == nullptr ? optimizer
                               : states; // elastic checkpoints: a bare list, one dict per group
    if (states == nullptr) {
        return found;
    }
    const bool list = states->kind() == ValueKind::List;
    for (std::size_t i = 0; i < states->items().size(); ++i) {
        const ValueItem& item = states->items()[i];
        found.emplace(list ? std::to_string(i) : keyText(item.key), &item.value);
    }
    return found;
}

std::vector<FlatPart> readParts(const Member& member, const Value* masters,
                                const Value* optimizer) {
    std::vector<FlatPart> parts;
    if (masters == nullptr) {
        return parts;
    }
    const auto states = statesByGroup(optimizer);
    for (const ValueItem& item : masters->items()) {
        FlatPart part;
        part.master = member.tensor(&item.value);
        if (part.master != nullptr && part.master->shape.size() != 1) {
            part.master = nullptr;
        }
        if (const auto state = states.find(std::to_string(parts.size())); state != states.end()) {
            readStates(member, *state->second, part);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

std::vector<std::vector<std::uint64_t>> readPaddings(const Value* lists) {
    std::vector<std::vector<std::uint64_t>> paddings;
    const Value none;
    for (const ValueItem& group : (lists == nullptr ? none : *lists).items()) {
        auto& into = paddings.emplace_back();
        for (const ValueItem& item : group.value.items()) {
            const std::int64_t* padding = item.value.asInt();
            into.push_back(
                padding == nullptr || *padding < 0 ? 0 : static_cast<std::uint64_t>(*padding));
        }
    }
    return paddings;
}

} // namespace

std::optional<std::int64_t> integerOf(const Value* value) {
    for (int level = 0; value != nullptr && level < 4;
         ++level) { // ZeroStageEnum(3): object with args (3,)
        if (const std::int64_t* number = value->asInt()) {
            return *number;
        }
        const Value* inner = value->find("args");
        if (inner == nullptr && value->items().size() == 1) {
            inner = &value->items().front().value;
        }
        value = inner;
    }
    return std::nullopt;
}

std::optional<Shape> shapeOf(const Value& value) {
    if (value.kind() != ValueKind::Tuple && value.kind() != ValueKind::List) {
        return std::nullopt;
    }
    std::vector<std::int64_t> sizes;
    for (const ValueItem& item : value.items()) {
        const std::int64_t* size = item.value.asInt();
        if (size == nullptr || *size < 0 || sizes.size() >= kMaxRank) {
            return std::nullopt;
        }
        sizes.push_back(*size);
    }
    Shape shape{std::span<const std::int64_t>(sizes)};
    const auto count = elementCount(shape);
    return count && std::cmp_less(*count, kMaxElements) ? std::optional(std::move(shape))
                                                        : std::nullopt;
}

ModelStates readModelStates(const Member& member) {
    ModelStates states;
    const Value& root = member.root;
    if (const Value* shapes = root.find("param_shapes");
        shapes != nullptr && shapes->isContainer()) {
        states.hasShapes = true;
        if (shapes->kind() == ValueKind::Dict) { // before DeepSpeed 0.5: one dict
            states.groups.push_back(readShapes(*shapes, states.unreadable));
        } else {
            for (const ValueItem& group : shapes->items()) {
                states.groups.push_back(readShapes(group.value, states.unreadable));
            }
        }
    }
    const Value* recorded = root.find("param_shapes");
    states.withoutZero = recorded != nullptr && recorded->kind() == ValueKind::Null;
    states.flatOptimizer =
        root.findPath({"optimizer", "single_partition_of_fp32_groups"}) != nullptr;
    if (const Value* frozen = root.find("frozen_param_shapes")) {
        states.frozen = readShapes(*frozen, states.unreadable);
    }
    const auto eachItem = [&](std::string_view key, auto use) {
        if (const Value* value = root.find(key)) {
            std::ranges::for_each(value->items(), use);
        }
    };
    // A dict, or a list of pairs.
    eachItem("shared_params", [&](const ValueItem& item) {
        const auto& pair = item.value.items();
        if (const std::string* stored = item.value.asString()) {
            states.shared.emplace_back(keyText(item.key), *stored);
        } else if (pair.size() == 2 && pair[0].value.asString() != nullptr &&
                   pair[1].value.asString() != nullptr) {
            states.shared.emplace_back(*pair[0].value.asString(), *pair[1].value.asString());
        }
    });
    eachItem("buffer_names", [&](const ValueItem& item) {
        if (const std::string* name = item.value.asString()) {
            states.buffers.insert(*name);
        }
    });
    states.steps = integerOf(root.find("global_steps"));
    states.skippedSteps = integerOf(root.find("skipped_steps"));
    states.dpWorldSize = worldOf(root.find("dp_world_size"));
    states.mpWorldSize = worldOf(root.find("mp_world_size"));
    states.tensorParallel = worldOf(root.findPath({"checkpoint_parallel_dimensions", "tp_degree"}));
    if (const Value* version = root.find("ds_version");
        version != nullptr && version->asString() != nullptr) {
        states.version = *version->asString();
    }
    return states;
}

std::optional<std::int64_t> OptimizerStates::worldSize() const {
    return partitionCounts.empty() ? std::nullopt
                                   : std::optional(std::ranges::max(partitionCounts));
}

std::optional<Slices> readSlices(const Member& member) {
    const Value* mappings = member.root.findPath({"optimizer_state_dict", "param_slice_mappings"});
    if (mappings == nullptr || !mappings->isContainer()) {
        return std::nullopt;
    }
    Slices groups;
    for (const ValueItem& group : mappings->items()) {
        std::uint64_t end = 0;
        auto& slices = groups.emplace_back();
        for (const ValueItem& item : group.value.items()) { // an object: fragment_address
            const Value* state = item.value.find("state");
            const Value* fields = state != nullptr ? state : &item.value;
            const auto count = integerOf(fields->find("numel"));
            const auto start = integerOf(fields->find("start"));
            const bool next = count && start && *count >= 0 && *count < kMaxElements &&
                              *start >= 0 && static_cast<std::uint64_t>(*start) == end;
            if (!next || end > kMaxElements) {
                return std::nullopt;
            }
            end += static_cast<std::uint64_t>(*count);
            slices.push_back({keyText(item.key), static_cast<std::uint64_t>(*count)});
        }
    }
    return groups;
}

OptimizerStates readOptimizerStates(const Member& member) {
    OptimizerStates states;
    const Value* root = member.root.find("optimizer_state_dict");
    if (root == nullptr) {
        return states;
    }
    states.stage = integerOf(root->find("zero_stage"));
    if (const Value* counts = root->find("partition_count")) {
        if (const auto one = worldOf(counts)) {
            states.partitionCounts.push_back(*one);
        }
        if (counts->kind() == ValueKind::List || counts->kind() == ValueKind::Tuple) {
            states.partitionCounts.clear();
            for (const ValueItem& item : counts->items()) {
                states.partitionCounts.push_back(worldOf(&item.value).value_or(1));
            }
        }
    }
    if (const Value* flat = root->find("fp32_flat_groups")) {
        states.parts = readParts(member, flat, root->find("optimizer_state_dict"));
    } else {
        states.parts = readParts(member, root->find("single_partition_of_fp32_groups"),
                                 root->find("base_optimizer_state"));
    }
    states.paddings = readPaddings(root->find("param_alignment_paddings"));
    return states;
}

} // namespace cairn::formats::deepspeed
