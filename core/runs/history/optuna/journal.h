// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"

namespace cairn::history::optuna {

/// Whether these are the first bytes of a journal (JournalFileBackend).
bool isJournal(std::span<const std::byte> head);

/// The trials that its operations give, as kStore has those of a database.
Result<HistoryPart> readJournal(const HistoryCandidate& candidate, const CancelToken& cancel);
Result<std::vector<HeldRun>> listJournal(const HistoryCandidate& candidate,
                                         const CancelToken& cancel);

} // namespace cairn::history::optuna
