// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/trainer_tree.h"

#include "core/jobs/training/tree_parts.h"

#include <algorithm>
#include <utility>

namespace cairn {

using namespace trainer_tree;

namespace {

/// Kept under its own key: generators of any trainer, and what a loop wrote itself.
bool isOfLoop(const TrainingState& state, const StatePart& part) {
    return isAmong(state.generators, part) ||
           (state.origin == StateOrigin::Loop && !isAmong(state.scalers, part));
}

/// The values of a loop, with `optimizer` in its form.
Value loopTree(const TrainingState& state, Value model, Value optimizer,
               std::vector<TrainingLoss>& losses) {
    std::vector<ValueItem> items{{Value("model"), std::move(model)},
                                 {Value("optimizer"), std::move(optimizer)}};
    const auto add = [&](std::string_view key, Value value) {
        const auto isSame = [&](const ValueItem& item) { return keyText(item.key) == key; };
        const bool isNew = std::ranges::none_of(items, isSame);
        if (isNew) {
            items.push_back({Value(key), std::move(value)});
        }
        return isNew;
    };
    if (!state.schedulers.empty()) {
        add("scheduler", oneOrList(valuesOf(state.schedulers)));
    }
    if (!state.scalers.empty()) {
        add("scaler", oneOrList(valuesOf(state.scalers)));
    }
    if (const auto step = state.position.position.step) {
        add("step", Value(*step));
    }
    if (const auto epoch = state.position.position.epoch) {
        add("epoch", epochValue(*epoch));
    }
    std::vector<const StatePart*> taken; // whose key something else has
    for (const auto* parts : {&state.generators, &state.data, &state.others}) {
        for (const StatePart& part : *parts) {
            if (isOfLoop(state, part) && !add(part.place, part.value)) {
                taken.push_back(&part);
            }
        }
    }
    const auto isTaken = [&](const StatePart& part) {
        return std::ranges::find(taken, &part) != taken.end();
    };
    addUnplaced(losses, state, "only the trainer that wrote it reads it", [&](const auto& part) {
        return isAmong(state.scalers, part) || isOfLoop(state, part);
    });
    addUnplaced(losses, state, "its key has a different meaning",
                [&](const StatePart& part) { return !isTaken(part); });
    return Value::dict(std::move(items));
}

} // namespace

Result<Value> trainerTree(const TreeRequest& request, std::vector<TrainingLoss>& losses) {
    const TrainingState& state = request.state;
    const std::string_view id = request.trainer.id;
    if (id == "lightning" || id == "lightning-fsdp") {
        return lightningTree(request, id == "lightning-fsdp", losses);
    }
    if (id == "torchtitan") {
        return torchtitanTree(request, losses);
    }
    if (id == "deepspeed") {
        return deepspeedTree(request, losses);
    }
    if (request.trainer.isFolder) {
        return folderTree(request, losses);
    }
    Value weights = modelDict(state, request.model);
    if (request.trainer.isNamed) {
        return loopTree(state, std::move(weights), named(state.optimizers, request.names), losses);
    }
    CAIRN_TRY(std::vector<Value> optimizers, allNumbered(state, request.byOrder));
    return loopTree(state, std::move(weights), oneOrList(std::move(optimizers)), losses);
}

} // namespace cairn
