// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

namespace cairn::history::stable_baselines3 {

/// "evaluations.npz" of EvalCallback: the means over the episodes of each evaluation, named as its
/// logger names them, at the numbers of timesteps. Fails: NotACheckpoint for other arrays, and as
/// opening the archive.
Result<HistoryPart> readEvaluations(const HistoryCandidate& candidate, const CancelToken& cancel);

/// The names of its arrays are in the head of the archive.
bool isEvaluations(std::span<const std::byte> head);

/// "monitor.csv" of Monitor: reward and length of each episode.
Result<HistoryPart> readMonitor(const HistoryCandidate& candidate, const CancelToken& cancel);
bool isMonitor(std::span<const std::byte> head);

} // namespace cairn::history::stable_baselines3
