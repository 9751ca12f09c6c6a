// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare/setting_words.h"

#include "core/model/names/metric_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace cairn {
namespace {

/// Complete last parts, as the settings of Trainer, Lightning, Hydra and W&B are called.
constexpr auto kIdentities = std::to_array<std::string_view>({"output_dir",
                                                              "logging_dir",
                                                              "run_name",
                                                              "experiment_name",
                                                              "exp_name",
                                                              "run_id",
                                                              "wandb_id",
                                                              "wandb_name",
                                                              "exp_id",
                                                              "job_id",
                                                              "name",
                                                              "id",
                                                              "hub_model_id",
                                                              "save_dir",
                                                              "log_dir",
                                                              "ckpt_dir",
                                                              "checkpoint_dir",
                                                              "out_dir",
                                                              "outdir",
                                                              "logdir",
                                                              "savedir",
                                                              "workdir",
                                                              "work_dir",
                                                              "save_path",
                                                              "timestamp",
                                                              "start_time",
                                                              "time",
                                                              "date",
                                                              "created",
                                                              "created_at",
                                                              "host",
                                                              "hostname",
                                                              "pid",
                                                              "port",
                                                              "master_port",
                                                              "version_name",
                                                              "resume_from_checkpoint",
                                                              "resume_from",
                                                              "resume",
                                                              "cache_dir",
                                                              "tensorboard_dir",
                                                              "checkpoint_path",
                                                              "save_folder",
                                                              "output_path",
                                                              "output_folder",
                                                              "log_path",
                                                              "log_file"});

struct RankedWords {
    int rank;
    std::string_view words; ///< all must occur, separated by spaces
};
constexpr auto kRanks = std::to_array<RankedWords>({
    {0, "learning rate"}, {0, "lr"},      {1, "batch"},     {2, "optimizer"}, {2, "optim"},
    {3, "scheduler"},     {3, "warmup"},  {4, "decay"},     {4, "wd"},        {5, "dropout"},
    {5, "momentum"},      {5, "beta"},    {5, "betas"},     {6, "epochs"},    {6, "steps"},
    {7, "hidden"},        {7, "layers"},  {7, "dim"},       {7, "heads"},     {7, "model"},
    {8, "data"},          {8, "dataset"}, {8, "precision"}, {8, "dtype"},
});
constexpr int kOther = 20;
constexpr int kSeed = 30;
constexpr int kLogging = 40;

bool isNumber(std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

bool has(const std::vector<std::string>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

bool hasAll(const std::vector<std::string>& words, std::string_view wanted) {
    while (!wanted.empty()) {
        const std::size_t space = std::min(wanted.find(' '), wanted.size());
        if (!has(words, wanted.substr(0, space))) {
            return false;
        }
        wanted.remove_prefix(std::min(space + 1, wanted.size()));
    }
    return true;
}

} // namespace

std::string_view lastPartOf(std::string_view key) {
    std::size_t dot = key.rfind('.');
    while (dot != std::string_view::npos && dot > 0 && isNumber(key.substr(dot + 1))) {
        const std::size_t before = key.rfind('.', dot - 1);
        if (before == std::string_view::npos ||
            !isNumber(key.substr(before + 1, dot - before - 1))) {
            return before == std::string_view::npos ? key : key.substr(before + 1);
        }
        dot = before;
    }
    return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

bool namesRun(std::string_view key) {
    std::string part(lastPartOf(key));
    std::ranges::transform(part, part.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '-' ? '_' : c;
    });
    return std::ranges::find(kIdentities, std::string_view(part)) != kIdentities.end() ||
           part.starts_with("wandb") || part.starts_with("_wandb");
}

int settingRank(std::string_view key) {
    const std::vector<std::string> words = names::metricWords(lastPartOf(key));
    if (has(words, "logging") || has(words, "log") || has(words, "save") || has(words, "eval")) {
        return kLogging;
    }
    if (has(words, "seed")) {
        return kSeed;
    }
    int rank = kOther;
    for (const RankedWords& each : kRanks) {
        rank = hasAll(words, each.words) ? std::min(rank, each.rank) : rank;
    }
    return rank;
}

} // namespace cairn
