// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"
#include "core/runs/history/history.h"
#include "tests/fuzz/scratch_folder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace cairn;

/// Readers of text and a file name that each accepts, chosen by the first byte of the input.
struct Target {
    std::string_view reader;
    const char* name;
};
constexpr const char* kArchive = "0123456789abcdef0123456789abcdef.zip";
constexpr auto kTargets = std::to_array<Target>({{"csv", "metrics.csv"},
                                                 {"jsonl", "metrics.jsonl"},
                                                 {"keras_json", "history.json"},
                                                 {"hparams", "hparams.yaml"},
                                                 {"hparams", "args.json"},
                                                 {"console", "train.log"},
                                                 {"trainer_state", "trainer_state.json"},
                                                 {"ray_tune", "result.json"},
                                                 {"stable_baselines3", "monitor.csv"},
                                                 {"stable_baselines3", "evaluations.npz"},
                                                 {"optuna", "journal.log"},
                                                 {"clearml", "metrics.jsonl"},
                                                 {"comet", kArchive}});

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

/// The promise of every reader: columns of equal length, or none.
void check(const HistoryPart& part) {
    for (const MetricSeries& series : part.series) {
        require(series.size() > 0);
        require(series.steps.size() == series.size() || series.steps.empty());
        require(series.epochs.size() == series.size() || series.epochs.empty());
        require(series.wall.size() == series.size() || series.wall.empty());
        (void)restartsOf(series);
        (void)metricRank(series.name);
    }
    (void)expandedSize(part.settings, 1'000'000);
}

} // namespace

/// Any bytes as any text log: no crash, and the result keeps the readers' promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::ScratchFolder scratch;
    static const FolderPtr folder = *Folder::open(scratch.path());
    if (size == 0) {
        return 0;
    }
    const Target& target = kTargets[static_cast<std::uint8_t>(data[0] - '1') % kTargets.size()];
    const HistoryReader* reader = findHistoryReader(target.reader);
    require(reader != nullptr);
    require(scratch.write(target.name, {data + 1, size - 1}));
    HistoryCandidate candidate;
    candidate.folder = folder;
    candidate.name = target.name;
    candidate.path = scratch.path() / target.name;
    candidate.size = size - 1;
    candidate.head = {reinterpret_cast<const std::byte*>(data + 1),
                      std::min<std::size_t>(size - 1, 65536)};
    (void)reader->recognises(candidate);
    if (const auto part = reader->read(candidate, CancelToken())) {
        check(*part);
    }
    scratch.clear();
    return 0;
}
