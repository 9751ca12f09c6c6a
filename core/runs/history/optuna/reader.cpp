// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/optuna/journal.h"
#include "core/runs/history/optuna/store.h"
#include "core/runs/history/sqlite/read_database.h"

#include <algorithm>
#include <array>

namespace cairn::history::optuna {
namespace {

constexpr auto kStudy = std::to_array<std::string_view>({"study_id", "study_name"});
constexpr auto kTrial =
    std::to_array<std::string_view>({"trial_id", "number", "study_id", "state"});
constexpr auto kValue =
    std::to_array<std::string_view>({"trial_id", "objective", "value", "value_type"});
constexpr auto kShapes = std::to_array<sqlite::TableShape>(
    {{"studies", kStudy}, {"trials", kTrial}, {"trial_values", kValue}});

constexpr auto kJournals = std::to_array<std::string_view>({".log", ".jsonl", ".journal"});

bool mayBe(std::string_view name) {
    return sqlite::namesDatabase(name) ||
           std::ranges::any_of(kJournals,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && mayBe(candidate.name) &&
           (sqlite::hasTables(candidate, kShapes) || isJournal(candidate.head));
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    return isJournal(candidate.head) ? readJournal(candidate, cancel)
                                     : sqlite::readStore(kStore, candidate, cancel);
}

Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate, const CancelToken& cancel) {
    return isJournal(candidate.head) ? listJournal(candidate, cancel)
                                     : sqlite::listStore(kStore, candidate, cancel);
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "optuna",
                            .title = "Optuna storage",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .runsIn = runsIn,
                            .continuesOthers = false};

} // namespace cairn::history::optuna
