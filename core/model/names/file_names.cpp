// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/file_names.h"

#include "core/model/names/position.h"
#include "core/model/names/role_words.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>
#include <span>

namespace cairn {
namespace {

using names::isSeparateWord;
using names::Meaning;
using names::means;

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

bool isOneOf(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
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

bool isBestName(std::string_view name) {
    return isSeparateWord(name, "best", "_effort");
}

bool isBestOrLastName(std::string_view name) {
    return isBestName(name) || name == "last" || name == "latest" || name == "final";
}

bool isExportName(std::string_view name) {
    constexpr auto kWords =
        std::to_array<std::string_view>({"export", "exports", "exported", "deploy", "deployed",
                                         "merged", "converted", "consolidated"});
    return std::ranges::any_of(kWords,
                               [&](std::string_view word) { return isSeparateWord(name, word); });
}

bool isOptimizerName(std::string_view name) {
    return isSeparateWord(name, "optimizer") || isSeparateWord(name, "optim") ||
           isSeparateWord(name, "opt");
}

bool isPointerName(std::string_view name) {
    return isOneOf(kPointerNames, name);
}

bool singlesOut(std::string_view name) {
    const auto words = names::wordsOf(name);
    return isPointerName(name) || std::ranges::any_of(words, [](const std::string& word) {
               return means(word, Meaning::Reference);
           });
}

bool isArrayOfData(std::string_view name) {
    constexpr std::string_view kGzip = ".gz";
    name.remove_suffix(name.ends_with(kGzip) ? kGzip.size() : 0);
    const bool single = name.ends_with(".npy");
    const bool pickle = name.ends_with(".pkl") || name.ends_with(".pickle");
    if (!single && !pickle && !name.ends_with(".npz")) {
        return false;
    }
    name = name.substr(0, name.rfind('.'));
    const NamedPosition position = positionFromName(name);
    bool weights = position.step || position.epoch;
    bool data = false;
    for (const std::string& word : names::wordsOf(name)) {
        weights = weights || means(word, Meaning::Weights) || means(word, Meaning::Model) ||
                  means(word, Meaning::Chosen) || means(word, Meaning::Content);
        data = data || means(word, Meaning::Data);
    }
    return !weights && (single || data);
}

bool isStateFile(std::string_view name) {
    const std::string_view stem = name.substr(0, name.rfind('.'));
    // Stable-Baselines3's callback writes both beside its models:
    // rl_model_replay_buffer_100_steps.pkl
    const bool beside = name.ends_with(".pkl") && (isSeparateWord(name, "replay_buffer") ||
                                                   isSeparateWord(name, "vecnormalize") ||
                                                   isSeparateWord(name, "vec_normalize"));
    // Ray Tune's own objects, to restore an experiment: ray/tune/impl/tuner_internal.py,
    // ray/train/base_trainer.py.
    constexpr auto kRay = std::to_array<std::string_view>({"tuner.pkl", "trainer.pkl"});
    if (isOneOf(kRay, name)) {
        return true;
    }
    return beside || (stem.size() < name.size() && names::isNeverAlone(stem));
}

bool isCheckpointFolder(std::string_view name) {
    return isOneOf(kCheckpointFolders, name);
}

std::string_view lastPathPart(std::string_view path) {
    const char separator = path.find('/') != std::string_view::npos ? '/' : '\\';
    while (path.size() > 1 && path.back() == separator) {
        path.remove_suffix(1);
    }
    const std::size_t at = path.rfind(separator);
    return at == std::string_view::npos ? path : path.substr(at + 1);
}

} // namespace cairn
