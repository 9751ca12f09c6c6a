// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/stable_baselines3/files.h"

namespace cairn::history::stable_baselines3 {
namespace {

constexpr std::string_view kEvaluations = "evaluations.npz";
constexpr std::string_view kMonitor = "monitor.csv";

bool mayBe(std::string_view name) {
    return name == kEvaluations || name.ends_with(kMonitor);
}

bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && mayBe(candidate.name) &&
           (candidate.name == kEvaluations ? isEvaluations(candidate.head)
                                           : isMonitor(candidate.head));
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    return candidate.name == kEvaluations ? readEvaluations(candidate, cancel)
                                          : readMonitor(candidate, cancel);
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "stable_baselines3",
                            .title = "Stable-Baselines3",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .continuesOthers = false};

} // namespace cairn::history::stable_baselines3
