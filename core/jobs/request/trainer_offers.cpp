// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/request/trainer_offers.h"

#include "core/jobs/request/run_request.h"

#include <system_error>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

namespace cairn {
namespace {

bool isOfPlace(const PlanProblem& problem) {
    return problem.code == ErrorCode::OutputExists || problem.code == ErrorCode::OutputIsInput ||
           problem.code == ErrorCode::NoSpace;
}

/// What stops the job; empty: nothing.
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
    return found == problems.end() ? Sentence() : found->message;
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
