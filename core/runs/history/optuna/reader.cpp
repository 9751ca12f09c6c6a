// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/optuna/store.h"
#include "core/runs/history/sqlite/read_database.h"

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

bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && sqlite::hasTables(candidate, kShapes);
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    return sqlite::readStore(kStore, candidate, cancel);
}

Result<std::vector<HeldRun>> runsIn(const HistoryCandidate& candidate, const CancelToken& cancel) {
    return sqlite::listStore(kStore, candidate, cancel);
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "optuna",
                            .title = "Optuna storage",
                            .mayBe = sqlite::namesDatabase,
                            .recognises = recognises,
                            .read = read,
                            .runsIn = runsIn,
                            .continuesOthers = false};

} // namespace cairn::history::optuna
