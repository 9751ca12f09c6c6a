// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan_names.h"

#include "core/base/ascii.h"
#include "core/runs/experiment_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace cairn {
namespace {

constexpr auto kSkippedFolders = std::to_array<std::string_view>({
    "__pycache__",
    "node_modules",
    "site-packages",
    "venv",
    "wandb",
    "mlruns",
});
constexpr auto kCheckpointFolders = std::to_array<std::string_view>(
    {"checkpoints", "checkpoint", "ckpts", "ckpt", "models", "weights"});
constexpr auto kPointerNames = std::to_array<std::string_view>({
    "latest",
    "latest.txt",
    "latest_checkpoint",
    "latest_checkpoint.txt",
    "latest_checkpointed_iteration.txt",
    "last_checkpoint",
    "last_checkpoint.txt",
    "checkpoint",
});
constexpr auto kStateStems = std::to_array<std::string_view>(
    {"random_states", "rng_state", "scheduler", "scaler", "sampler", "training_args"});
constexpr auto kDataWords = std::to_array<std::string_view>({
    "loss",     "losses", "acc",     "accuracy",    "accuracies", "metric", "metrics", "history",
    "train",    "test",   "val",     "valid",       "validation", "label",  "labels",  "target",
    "targets",  "pred",   "preds",   "predictions", "dataset",    "data",   "images",  "tokens",
    "features", "reward", "rewards", "returns",     "results",    "eval",   "scores",  "curve",
    "curves",   "logits", "samples", "evaluations", "x",          "y",
});
constexpr auto kWeightWords = std::to_array<std::string_view>({
    "weight",
    "weights",
    "param",
    "params",
    "parameters",
    "model",
    "ckpt",
    "checkpoint",
    "state",
    "best",
    "last",
    "final",
    "net",
    "embedding",
    "embeddings",
    "ema",
    "shard",
    "rank",
});
constexpr auto kPositionWords = std::to_array<std::string_view>({
    "step",
    "steps",
    "globalstep",
    "iter",
    "iteration",
    "epoch",
    "checkpoint",
    "ckpt",
});

bool isOneOf(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}
std::string_view trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && isSpace(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isSpace(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// The word is there with no letter next to it, nor `unless` behind it.
bool standsAlone(std::string_view name, std::string_view word, std::string_view unless = {}) {
    for (std::size_t at = name.find(word); at != std::string_view::npos;
         at = name.find(word, at + 1)) {
        const std::string_view rest = name.substr(at + word.size());
        const bool starts = at == 0 || !isLetter(name[at - 1]);
        const bool ends = rest.empty() || !isLetter(rest.front());
        if (starts && ends && (unless.empty() || !rest.starts_with(unless))) {
            return true;
        }
    }
    return false;
}

} // namespace

bool looksTemporary(std::string_view name) {
    constexpr auto kInside = std::to_array<std::string_view>({".tmp-", ".tmp_", "-tmp-", "_tmp_"});
    constexpr auto kEnds =
        std::to_array<std::string_view>({".tmp", ".incomplete", ".part", "_tmp", "-tmp", "_temp"});
    return name.starts_with("tmp-") || name.starts_with("tmp_") ||
           std::ranges::any_of(
               kInside,
               [&](std::string_view part) { return name.find(part) != std::string_view::npos; }) ||
           std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

bool saysBest(std::string_view name) {
    return standsAlone(name, "best", "_effort");
}

bool saysBestOrLast(std::string_view name) {
    return saysBest(name) || name == "last" || name == "latest" || name == "final";
}

bool saysOptimizer(std::string_view name) {
    return standsAlone(name, "optimizer") || standsAlone(name, "optim") || standsAlone(name, "opt");
}

bool isPointerName(std::string_view name) {
    return isOneOf(kPointerNames, name);
}

std::string pointerTarget(std::string_view text) {
    constexpr std::string_view kTensorFlow = "model_checkpoint_path:";
    if (text.starts_with(kTensorFlow)) {
        text.remove_prefix(kTensorFlow.size());
    }
    text = trimmed(text.substr(0, text.find('\n')));
    while (text.size() > 1 && text.ends_with('/')) {
        text.remove_suffix(1);
    }
    const bool plain = std::ranges::all_of(text, [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && c != '{' && c != '<' && c != '\x7f';
    });
    const std::size_t slash = text.rfind('/');
    text = slash == std::string_view::npos ? text : text.substr(slash + 1);
    return plain && text.size() <= 255 && text != "." && text != ".." ? std::string(text)
                                                                      : std::string();
}

bool isArrayOfData(std::string_view name) {
    const bool single = name.ends_with(".npy");
    if (!single && !name.ends_with(".npz")) {
        return false;
    }
    name.remove_suffix(4);
    const NamedPosition position = positionFromName(name);
    bool weights = position.step || position.epoch;
    bool data = false;
    std::string word;
    for (std::size_t at = 0; at <= name.size(); ++at) {
        if (at < name.size() && isLetter(name[at])) {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(name[at])));
            continue;
        }
        weights = weights || isOneOf(kWeightWords, word);
        data = data || isOneOf(kDataWords, word);
        word.clear();
    }
    return !weights && (single || data);
}

bool isStateFile(std::string_view name) {
    std::string_view stem = name.substr(0, name.rfind('.'));
    const std::size_t number = stem.find_last_not_of("0123456789");
    if (number != std::string_view::npos && number + 1 < stem.size() && stem[number] == '_') {
        stem = stem.substr(0, number);
    }
    // Stable-Baselines3's callback puts both beside its models: rl_model_replay_buffer_100_steps.pkl
    const bool beside = name.ends_with(".pkl") &&
                        (standsAlone(name, "replay_buffer") || standsAlone(name, "vecnormalize") ||
                         standsAlone(name, "vec_normalize"));
    return beside || (stem.size() < name.size() && isOneOf(kStateStems, stem));
}

bool isSkippedFolder(std::string_view name) {
    return isOneOf(kSkippedFolders, name);
}

bool isCheckpointFolder(std::string_view name) {
    return isOneOf(kCheckpointFolders, name);
}

bool isPositionFolder(std::string_view name) {
    std::string word;
    std::size_t at = 0;
    for (; at < name.size() && !isDigit(name[at]); ++at) {
        if (isLetter(name[at])) {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(name[at])));
        } else if (name[at] != '-' && name[at] != '_' && name[at] != '=') {
            return false;
        }
    }
    if (at == name.size() || !isOneOf(kPositionWords, word)) {
        return false;
    }
    const NamedPosition position = positionFromName(name);
    return position.step || position.epoch;
}

RunPlace runPlaceOf(std::string_view id) {
    RunPlace place{std::string(id), {}};
    if (id == ".") {
        return place;
    }
    for (std::size_t begin = 0; begin < id.size();) {
        const std::size_t end = std::min(id.find('/', begin), id.size());
        if (isPositionFolder(id.substr(begin, end - begin))) {
            place.runId = begin == 0 ? "." : std::string(id.substr(0, begin - 1));
            place.prefix = std::string(id.substr(begin)) + "/";
            break;
        }
        begin = end + 1;
    }
    const std::size_t slash = place.runId.rfind('/');
    if (place.runId != "." &&
        isCheckpointFolder(
            std::string_view(place.runId).substr(slash == std::string::npos ? 0 : slash + 1))) {
        place.runId = slash == std::string::npos ? "." : place.runId.substr(0, slash);
    }
    return place;
}

} // namespace cairn
