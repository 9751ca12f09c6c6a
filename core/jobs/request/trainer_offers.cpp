// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/request/trainer_offers.h"

#include "core/analysis/abilities.h"
#include "core/jobs/request/run_request.h"

#include <system_error>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace cairn {
namespace {

/// Why no optimizer continues from what is written: its moments are missing, or it consists of
/// objects that nothing relates to the tensors. Empty: it continues.
Sentence unrestored(const CheckpointPtr& source, const Trainer& trainer, const CopyPlan& plan,
                    const CancelToken& cancel) {
    std::vector<TrainingLoss> losses;
    if (trainer.keepsObjects && plan.training) {
        losses = plan.training->lost;
    } else if (const auto state = trainingState(*source, cancel)) {
        losses = missingState(*source, *state); // a trainer's own losses are of its settings
    }
    const auto found = std::ranges::find_if(losses, [](const TrainingLoss& loss) {
        return loss.id == LossId::Optimizer || loss.id == LossId::Unread;
    });
    return found == losses.end() ? Sentence()
                                 : sentence("Not restored: %1; %2", found->what, found->why);
}

/// What stops the job, or a training that continues from its output; empty: nothing.
Result<Sentence> obstacle(const CheckpointPtr& source, const Trainer& trainer, bool force,
                          const CancelToken& cancel) {
    JobRequest request;
    request.kind = JobKind::Convert;
    request.trainer = trainer.id;
    request.sources = {source->path()};
    std::error_code none; // the source may be on another machine, where nothing is written
    request.output = std::filesystem::temp_directory_path(none) / ("for-" + request.trainer);
    request.force = force;
    const auto opened = openRequest(std::move(request), cancel, source);
    if (!opened) {
        return opened.error();
    }
    const auto planned = planRequest(*opened, cancel);
    if (!planned) {
        return planned.error();
    }
    const auto& problems = planned->plan.problems;
    const auto found = std::ranges::find_if(problems, [](const PlanProblem& each) {
        return each.severity == Severity::Error && !isOfPlace(each);
    });
    return found == problems.end() ? unrestored(source, trainer, planned->plan, cancel)
                                   : found->message;
}

/// An error that prevents a plan is an obstacle, too.
Result<Sentence> anyObstacle(const CheckpointPtr& source, const Trainer& trainer, bool force,
                             const CancelToken& cancel) {
    auto found = obstacle(source, trainer, force, cancel);
    if (!found && found.error().code != ErrorCode::Cancelled) {
        return found.error().message;
    }
    return found;
}

} // namespace

bool isOfPlace(const PlanProblem& problem) {
    return problem.code == ErrorCode::OutputExists || problem.code == ErrorCode::OutputIsInput ||
           problem.code == ErrorCode::NoSpace;
}

Result<std::vector<TrainerOffer>> trainerOffers(const CheckpointPtr& source,
                                                const CancelToken& cancel) {
    std::vector<TrainerOffer> offers;
    for (const Trainer& trainer : allTrainers()) {
        CAIRN_CHECK(cancel.check());
        TrainerOffer offer{&trainer, true, false, {}};
        CAIRN_TRY(offer.why, anyObstacle(source, trainer, false, cancel));
        if (!offer.why.empty()) {
            CAIRN_TRY(const Sentence stays, anyObstacle(source, trainer, true, cancel));
            offer.can = offer.onlyByForce = stays.empty();
            offer.why = stays.empty() ? offer.why : stays;
        }
        offers.push_back(std::move(offer));
    }
    return offers;
}

} // namespace cairn
