// SPDX-License-Identifier: Apache-2.0
#include "core/base/counted.h"
#include "core/jobs/training/state_folder.h"
#include "core/jobs/training/tree_parts.h"

#include <algorithm>
#include <utility>

namespace cairn::trainer_tree {
namespace {

/// "optimizer", "optimizer_1": as accelerate numbers several.
void addFiles(std::vector<ValueItem>& files, const std::string& stem,
              const std::vector<Value>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        files.push_back({Value(i == 0 ? stem : stem + "_" + std::to_string(i)), parts[i]});
    }
}

/// The position, as TrainerState reads it; its other fields have defaults.
Value trainerState(std::int64_t step, double epoch) {
    return Value::dict({{Value("epoch"), Value(epoch)},
                        {Value("global_step"), Value(step)},
                        {Value("log_history"), Value::list({})},
                        {Value("train_batch_size"), Value(std::int64_t{0})}}); // only compared
}

} // namespace

Result<Value> folderTree(const TreeRequest& request, std::vector<TrainingLoss>& losses) {
    const TrainingState& state = request.state;
    const bool ofTrainer = request.trainer.id == "trainer";
    const TrainingPosition& position = state.position.position;
    CAIRN_TRY(const std::vector<Value> optimizers, allNumbered(state, request.byOrder));
    if (ofTrainer && (optimizers.size() > 1 || state.schedulers.size() > 1)) {
        return fail(ErrorCode::Unsupported, "The Trainer has one optimizer and one scheduler")
            .butFound(sentence("%1, %2", counting(optimizers.size(), "optimizer"),
                               counting(state.schedulers.size(), "scheduler")))
            .withHint("Use --for accelerate, torch or lightning");
    }
    if (ofTrainer && !position.step) {
        return fail(ErrorCode::MissingState,
                    "The Trainer continues at a step, and the checkpoint records none")
            .withHint("Use --for accelerate or torch");
    }
    std::vector<ValueItem> files;
    addFiles(files, "optimizer", optimizers);
    addFiles(files, "scheduler", valuesOf(state.schedulers));
    addFiles(files, "scaler", valuesOf(state.scalers));
    const auto isOld = [&](const StatePart& part) { return part.place == "trainer_state"; };
    const auto old = std::ranges::find_if(state.others, isOld);
    if (ofTrainer) {
        const bool isKept = old != state.others.end() && state.origin == StateOrigin::Folder;
        files.push_back(
            {Value("trainer_state"),
             isKept ? old->value : trainerState(*position.step, position.epoch.value_or(0))});
    } else if (position.step) {
        losses.push_back({LossId::TrainerState, sentence("step %1", *position.step),
                          "accelerate leaves the position to the program; skip_first_batches "
                          "skips what was read"});
    }
    addUnplaced(losses, state, "not a file of this trainer", [&](const StatePart& part) {
        return isAmong(state.scalers, part) || (ofTrainer && isOld(part));
    });
    files.push_back({Value(kWeightsStem), modelDict(state, request.model)});
    return Value::dict(std::move(files));
}

} // namespace cairn::trainer_tree
