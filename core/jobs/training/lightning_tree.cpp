// SPDX-License-Identifier: Apache-2.0
#include "core/base/counted.h"
#include "core/jobs/training/state_folder.h"
#include "core/jobs/training/tree_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::trainer_tree {
namespace {

Value counts(std::int64_t ready, std::int64_t started, std::int64_t processed,
             std::int64_t completed) {
    return Value::dict({{Value("ready"), Value(ready)},
                        {Value("started"), Value(started)},
                        {Value("processed"), Value(processed)},
                        {Value("completed"), Value(completed)}});
}

Value counts(std::int64_t ready, std::int64_t completed) {
    return Value::dict({{Value("ready"), Value(ready)}, {Value("completed"), Value(completed)}});
}

Value totals(Value total, Value current) {
    return Value::dict(
        {{Value("total"), std::move(total)}, {Value("current"), std::move(current)}});
}

Value emptyDict() {
    return Value::dict({});
}

/// Progress of the fit loop at step n: `inEpoch` batches of epoch e.
Value fitLoop(std::int64_t n, std::int64_t inEpoch, std::int64_t e) {
    const auto zero = [] { return counts(0, 0, 0, 0); };
    const auto batches = [&](bool isDone) {
        return Value::dict(
            {{Value("total"), isDone ? zero() : counts(n, n, n, n)},
             {Value("current"), isDone ? zero() : counts(inEpoch, inEpoch, inEpoch, inEpoch)},
             {Value("is_last_batch"), Value(false)}});
    };
    const Value zeroGrad = Value::dict(
        {{Value("ready"), Value(n)}, {Value("started"), Value(n)}, {Value("completed"), Value(n)}});
    const Value progress = Value::dict(
        {{Value("optimizer"), Value::dict({{Value("step"), totals(counts(n, n), counts(n, n))},
                                           {Value("zero_grad"), totals(zeroGrad, zeroGrad)}})}});
    return Value::dict(
        {{Value("state_dict"), emptyDict()},
         {Value("epoch_loop.state_dict"),
          Value::dict({{Value("_batches_that_stepped"), Value(n)}})},
         {Value("epoch_loop.batch_progress"), batches(false)},
         {Value("epoch_loop.scheduler_progress"), totals(counts(n, n), counts(inEpoch, inEpoch))},
         {Value("epoch_loop.automatic_optimization.state_dict"), emptyDict()},
         {Value("epoch_loop.automatic_optimization.optim_progress"), progress},
         {Value("epoch_loop.manual_optimization.state_dict"), emptyDict()},
         {Value("epoch_loop.manual_optimization.optim_step_progress"),
          totals(counts(0, 0), counts(0, 0))},
         {Value("epoch_loop.val_loop.state_dict"), emptyDict()},
         {Value("epoch_loop.val_loop.batch_progress"), batches(true)},
         {Value("epoch_progress"),
          totals(counts(e + 1, e + 1, e, e), counts(e + 1, e + 1, e, e))}});
}

/// Null: the key is not a part of its own, but that of the model or an optimizer, or empty.
const StatePart* partOfKey(const TrainingState& state, std::string_view key) {
    for (const auto* parts : {&state.others, &state.data, &state.generators, &state.scalers}) {
        const auto found = std::ranges::find(*parts, key, &StatePart::place);
        if (found != parts->end()) {
            return &*found;
        }
    }
    return nullptr;
}

/// Everything but model and optimizers, as Lightning itself saved it.
std::vector<ValueItem> ownLoops(const TreeRequest& request, std::vector<TrainingLoss>& losses) {
    std::vector<ValueItem> items;
    const std::string& place = request.state.modelPlace;
    for (const ValueItem& item : request.values.items()) {
        const std::string key = keyText(item.key);
        const bool isModel = key == place.substr(0, place.find('.')) || isShardedKey(key);
        if (!isModel && key != "optimizer_states") {
            items.push_back(item);
        } else if (const StatePart* part = partOfKey(request.state, key)) { // a program's
            addLost(losses, LossId::TrainerState, *part, "its key has a different meaning");
        }
    }
    return items;
}

/// From the state of another trainer.
Result<std::vector<ValueItem>> newLoops(const TrainingState& state,
                                        std::vector<TrainingLoss>& losses) {
    constexpr std::string_view kVersion = "2.6.0"; // whose loops these are
    const TrainingPosition& position = state.position.position;
    if (!position.step) {
        return fail(ErrorCode::MissingState,
                    "Lightning counts the steps of its loops, and the checkpoint records none")
            .withHint("Use --for torch");
    }
    if (state.optimizers.size() > 1) {
        return fail(ErrorCode::Unsupported, "Lightning counts the steps of several optimizers "
                                            "together, and a loop does not")
            .butFound(counting(state.optimizers.size(), "optimizer"))
            .withHint("Use --for torch");
    }
    const std::int64_t n = *position.step;
    constexpr double kMostEpochs = 9e15; // also not if it is NaN
    const bool isEpoch = position.epoch && *position.epoch >= 0 && *position.epoch < kMostEpochs;
    const auto e = isEpoch ? static_cast<std::int64_t>(std::floor(*position.epoch)) : 0;
    const bool isInFirst = e == 0 && isEpoch;
    const std::int64_t inEpoch = isInFirst ? n : 0;
    if (!isInFirst) {
        losses.push_back({LossId::Data, sentence("the position in epoch %1", e),
                          "Lightning reads this epoch from its first batch"});
    }
    addUnplaced(losses, state, "Lightning has no place for it");
    return std::vector<ValueItem>{
        {Value("epoch"), Value(e)},
        {Value("global_step"), Value(n)},
        {Value("pytorch-lightning_version"), Value(kVersion)},
        {Value("loops"), Value::dict({{Value("fit_loop"), fitLoop(n, inEpoch, e)}})},
        {Value("callbacks"), emptyDict()},
        {Value("lr_schedulers"), Value::list(valuesOf(state.schedulers))}};
}

} // namespace

Result<Value> lightningTree(const TreeRequest& request, bool sharded,
                            std::vector<TrainingLoss>& losses) {
    const TrainingState& state = request.state;
    const bool isOwn = state.origin == StateOrigin::Lightning;
    if (isOwn && !sharded && request.values.find("optimizer_states") != nullptr) {
        return request.values;
    }
    std::vector<ValueItem> items;
    if (isOwn) {
        items = ownLoops(request, losses);
    } else {
        CAIRN_TRY(items, newLoops(state, losses));
    }
    const Value weights = modelDict(state, request.model);
    items.push_back({Value("state_dict"), weights});
    if (!sharded) {
        CAIRN_TRY(std::vector<Value> optimizers, allNumbered(state, request.byOrder));
        items.push_back({Value("optimizer_states"), Value::list(std::move(optimizers))});
        return Value::dict(std::move(items));
    }
    items.push_back({Value("model"), weights});
    for (std::size_t k = 0; k < state.optimizers.size(); ++k) {
        items.push_back(
            {Value("optimizer_" + std::to_string(k)),
             named(std::span(state.optimizers).subspan(k, 1), request.names.subspan(k, 1))});
    }
    return Value::dict(std::move(items));
}

} // namespace cairn::trainer_tree
