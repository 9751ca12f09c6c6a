// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/plan/request.h"
#include "core/plan/trainers.h"

#include <vector>

namespace cairn {

/// Whether a checkpoint's training state can be written for a trainer.
struct TrainerOffer {
    const Trainer* trainer = nullptr;
    bool can = false;
    bool onlyByForce = false; ///< with `can`: only with --force
    Sentence why;             ///< why not, or why only with --force; else empty
};

/// For every trainer, in the order of allTrainers(): plans `convert --for`, so that it answers as
/// such a plan does, but for the place of the output: one that exists, lies in the source or has no
/// space. Reads what those plans read; writes nothing. Any thread but the window's. Fails with
/// Cancelled.
Result<std::vector<TrainerOffer>> trainerOffers(const CheckpointPtr& source,
                                                const CancelToken& cancel = {});

} // namespace cairn
