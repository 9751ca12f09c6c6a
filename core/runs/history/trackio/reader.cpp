// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/sqlite/read_database.h"
#include "core/runs/history/trackio/store.h"

#include <array>

namespace cairn::history::trackio {
namespace {

constexpr auto kMetrics =
    std::to_array<std::string_view>({"run_name", "timestamp", "step", "metrics"});
constexpr auto kShapes = std::to_array<sqlite::TableShape>({{"metrics", kMetrics}});

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
const HistoryReader kReader{.id = "trackio",
                            .title = "trackio database",
                            .mayBe = sqlite::namesDatabase,
                            .recognises = recognises,
                            .read = read,
                            .runsIn = runsIn,
                            .continuesOthers = false};

} // namespace cairn::history::trackio
