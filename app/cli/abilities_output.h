// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/analysis/abilities.h"
#include "core/jobs/request/trainer_offers.h"

#include <span>

namespace cairn::cli {

/// `abilities: {serve: {can, verdict, why, lost}, …}`.
void writeAbilities(JsonWriter& json, std::span<const Ability> abilities);

/// `lost: [{id, what, why}]`, as value of the current key.
void writeLosses(JsonWriter& json, std::span<const TrainingLoss> losses);

/// One line for each, and one for each loss.
void printAbilities(Session& session, std::span<const Ability> abilities);

/// `trainers: [{trainer, can, force, why?}, …]`: `convert --for` with each.
void writeOffers(JsonWriter& json, std::span<const TrainerOffer> offers);
void printOffers(Session& session, std::span<const TrainerOffer> offers);

} // namespace cairn::cli
