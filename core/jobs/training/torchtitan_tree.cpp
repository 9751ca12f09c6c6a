// SPDX-License-Identifier: Apache-2.0
#include "core/base/counted.h"
#include "core/jobs/training/tree_parts.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace cairn::trainer_tree {
namespace {

constexpr auto kOwnKeys =
    std::to_array<std::string_view>({"optimizer", "lr_scheduler", "train_state", "dataloader"});

/// torchtitan computes everything else of a schedule from the job's settings.
Result<Value> scheduleOf(const TrainingState& state, std::vector<TrainingLoss>& losses) {
    std::set<std::int64_t> epochs;
    for (const StatePart& part : state.schedulers) {
        const Value* last = part.value.find("last_epoch");
        if (last == nullptr || last->asInt() == nullptr) {
            addLost(losses, LossId::Schedule, part, "torchtitan reads last_epoch, which it lacks");
            continue;
        }
        epochs.insert(*last->asInt());
    }
    if (epochs.size() > 1) {
        return fail(ErrorCode::Unsupported, "torchtitan has one schedule for all optimizers")
            .butFound(
                sentence("schedulers at the steps %1 and %2", *epochs.begin(), *epochs.rbegin()))
            .withHint("Use --for fsdp2");
    }
    return epochs.empty() ? Value() : Value::dict({{Value("last_epoch"), Value(*epochs.begin())}});
}

const StatePart* partAt(const std::vector<StatePart>& parts, std::string_view place) {
    const auto found = std::ranges::find(parts, place, &StatePart::place);
    return found == parts.end() ? nullptr : &*found;
}

constexpr std::string_view kTrainState = "train_state";

/// Torchtitan's own.
bool isTrainState(const StatePart& part) {
    return part.place == kTrainState && part.value.find("ntokens_seen") != nullptr;
}

/// A program's `train_state` of which only the step is written.
bool hasMoreThanPosition(const TrainingState& state, const StatePart& part) {
    return !part.value.isContainer() ||
           std::ranges::any_of(part.value.items(), [&](const ValueItem& item) {
               return !isPosition(state, {part.place + "." + keyText(item.key), item.value});
           });
}

/// Step and tokens; as torchtitan stored them, if it did.
Result<Value> trainState(const TrainingState& state, std::vector<TrainingLoss>& losses) {
    if (const StatePart* own = partAt(state.others, kTrainState);
        own != nullptr && isTrainState(*own)) {
        return own->value;
    }
    if (!state.position.position.step) {
        return fail(ErrorCode::MissingState,
                    "torchtitan continues at a step, and the checkpoint records none")
            .withHint("Use --for fsdp2");
    }
    losses.push_back({LossId::Data, "the number of tokens seen", "torchtitan counts from 0"});
    return Value::dict({{Value("step"), Value(*state.position.position.step)},
                        {Value("ntokens_seen"), Value(std::int64_t{0})}});
}

} // namespace

Result<Value> torchtitanTree(const TreeRequest& request, std::vector<TrainingLoss>& losses) {
    const TrainingState& state = request.state;
    std::vector<ValueItem> items = modelDict(state, request.model).items();
    for (const ValueItem& item : items) {
        if (std::ranges::find(kOwnKeys, keyText(item.key)) != kOwnKeys.end()) {
            return fail(ErrorCode::NameNotRepresentable,
                        "torchtitan stores its own state under this name of the model")
                .inTensor(keyText(item.key))
                .withHint("Use --for fsdp2");
        }
    }
    CAIRN_TRY(Value schedule, scheduleOf(state, losses));
    CAIRN_TRY(Value position, trainState(state, losses));
    items.push_back({Value("optimizer"), flat(state.optimizers, request.names)});
    if (schedule.isContainer()) {
        items.push_back({Value("lr_scheduler"), std::move(schedule)});
    }
    items.push_back({Value("train_state"), std::move(position)});
    const StatePart* loader = partAt(state.data, "dataloader");
    if (loader != nullptr && state.origin == StateOrigin::Loop) {
        items.push_back({Value("dataloader"), loader->value});
    } else {
        losses.push_back({LossId::Unread, "the state of the data loader",
                          "torchtitan loads without it only with "
                          "--checkpoint.exclude_from_loading dataloader"});
    }
    addUnplaced(losses, state, "torchtitan has no place for it", [&](const StatePart& part) {
        return &part == loader || isTrainState(part) ||
               (part.place == kTrainState && !hasMoreThanPosition(state, part));
    });
    return Value::dict(std::move(items));
}

} // namespace cairn::trainer_tree
