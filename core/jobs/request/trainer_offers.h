// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/plan/copy_plan.h"
#include "core/plan/request.h"
#include "core/plan/trainers.h"

#include <vector>

namespace cairn {

/// Whether a trainer can continue from a state that is written for it.
struct TrainerOffer {
    const Trainer* trainer = nullptr;
    bool can = false;
    bool onlyByForce = false; ///< with `can`: only with --force
    Sentence why;             ///< why not, or why only with --force; else empty
};

/// Of the place of the output: it exists, lies in the source or has no space. Another trainer does
/// not change it.
bool isOfPlace(const PlanProblem& problem);

/// For every trainer, in the order of allTrainers(): plans `convert --for`, so that it answers as
/// such a plan does, but for the place of the output, and for a state that can be written but not
/// continued: without moments, or none of it is restored. Reads what those plans read; writes
/// nothing. Any thread but the window's. Fails with Cancelled.
Result<std::vector<TrainerOffer>> trainerOffers(const CheckpointPtr& source,
                                                const CancelToken& cancel = {});

} // namespace cairn
