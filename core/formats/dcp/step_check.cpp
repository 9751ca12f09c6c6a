// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/step_check.h"

#include "core/base/ascii.h"
#include "core/formats/common/members/step_agreement.h"
#include "core/model/element.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::formats::dcp {
namespace {

constexpr std::size_t kReadsOfShard = 16;
constexpr std::size_t kMaxShards = 256; ///< limit on examined shards
// A parameter that was temporarily frozen has a different count, so one such parameter in a shard
// (of a save with many ranks) does not indicate a different save.
constexpr std::size_t kLeastCounts = 2;

struct ShardUpdates {
    std::int64_t update = 0;
    std::size_t counts = 0;
};

/// Words that all examined names with one count have in common: "bias", "adapter".
using Words = std::set<std::string, std::less<>>;

/// The parts of a state's name without numbers: blocks differ in these, kinds of parameters do not.
Words wordsOf(std::string_view name) {
    Words words;
    while (!name.empty()) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        if (std::ranges::any_of(name.substr(0, dot), [](char c) { return !isDigit(c); })) {
            words.emplace(name.substr(0, dot));
        }
        name.remove_prefix(std::min(dot + 1, name.size()));
    }
    return words;
}

bool isUpdateCount(const TensorEntry& tensor) {
    return tensor.shape.empty() && tensor.pieces.size() == 1 && hasNumericElements(tensor.dtype) &&
           tensor.role == Role::Optimizer && tensor.name.ends_with(".step");
}

/// The update counts as a separate checkpoint, so that the files opened here do not stay open with
/// `data` and hide later changes.
CheckpointPtr updateCounts(const CheckpointData& data) {
    CheckpointData counts;
    std::map<FileIndex, std::vector<const TensorEntry*>> ofShard;
    for (const TensorEntry& tensor : data.tensors) {
        if (!isUpdateCount(tensor)) {
            continue;
        }
        const FileIndex shard = tensor.pieces.front().file;
        if (ofShard.contains(shard) || ofShard.size() < kMaxShards) {
            ofShard[shard].push_back(&tensor);
        }
    }
    for (const auto& [shard, all] : ofShard) { // also of the last layers, which are unfrozen first
        const std::size_t reads = std::min(kReadsOfShard, all.size());
        for (std::size_t i = 0; i < reads; ++i) {
            counts.tensors.push_back(*all[reads == 1 ? 0 : i * (all.size() - 1) / (reads - 1)]);
        }
    }
    if (!counts.tensors.empty()) {
        counts.files = data.files;
        counts.codecs = data.codecs;
    }
    return Checkpoint::make(std::move(counts));
}

/// Whether the counts are those of different kinds of parameters: all names with one count have a
/// word that no name with another count has. Biases that were trained later, or an adapter, may be
/// in a shard of their own; blocks of a pipeline have the same words.
bool areKinds(const std::map<std::int64_t, std::vector<Words>>& ofCount) {
    if (ofCount.size() < 2) {
        return false;
    }
    return std::ranges::any_of(ofCount, [&](const auto& own) {
        return std::ranges::any_of(own.second.front(), [&](const std::string& word) {
            const auto has = [&](const Words& words) { return words.contains(word); };
            return std::ranges::all_of(own.second, has) &&
                   std::ranges::all_of(ofCount, [&](const auto& other) {
                       return other.first == own.first || std::ranges::none_of(other.second, has);
                   });
        });
    });
}

/// The updates recorded by the states in each shard, unless they are of different kinds of
/// parameters. Empty: a shard contains states with different
/// counts, as after temporarily frozen parameters, so that the counts do not identify the save.
std::optional<std::map<FileIndex, ShardUpdates>> updatesOfShards(const Checkpoint& counts,
                                                                 const CancelToken& cancel) {
    std::map<FileIndex, ShardUpdates> updates;
    std::map<std::int64_t, std::vector<Words>> words;
    for (const TensorEntry& tensor : counts.tensors()) {
        const auto update = recordedStep(counts, tensor);
        if (cancel.cancelled() || !update) {
            return std::nullopt;
        }
        ShardUpdates& shard =
            updates.try_emplace(tensor.pieces.front().file, ShardUpdates{*update, 0}).first->second;
        if (shard.update != *update) {
            return std::nullopt;
        }
        ++shard.counts;
        words[*update].push_back(wordsOf(tensor.name));
    }
    return areKinds(words) ? std::nullopt : std::optional(std::move(updates));
}

/// Lightning's count of optimizer steps; empty if it counts several optimizers, or if a saved loss
/// scaler may have skipped some.
std::optional<std::int64_t> globalStep(const CheckpointData& data, const Checkpoint& meta,
                                       std::int64_t updates, const CancelToken& cancel) {
    const auto values = meta.values(cancel);
    const Value* found = values ? values->find("global_step") : nullptr;
    const std::int64_t* step = found != nullptr ? found->asInt() : nullptr;
    const bool several = std::ranges::any_of(data.tensors, [](const TensorEntry& tensor) {
        return tensor.name.starts_with("optimizer_1.");
    });
    if (step == nullptr || several) {
        return std::nullopt;
    }
    const bool skips = std::ranges::any_of(values->items(), [](const ValueItem& item) {
        return item.value.find("growth_factor") != nullptr;
    });
    // A loop that asks for the optimizer's state before its first step makes an update of zeros.
    const bool isInitialised = updates == *step + 1;
    return (skips && updates < *step) || isInitialised ? std::nullopt : std::optional(*step);
}

} // namespace

void checkSteps(CheckpointData& data, const CheckpointPtr& meta, const CancelToken& cancel) {
    const auto updates = updatesOfShards(*updateCounts(data), cancel);
    if (!updates || updates->empty()) {
        return;
    }
    const std::int64_t most = std::ranges::max_element(*updates, {}, [](const auto& each) {
                                  return each.second.update;
                              })->second.update;
    const bool alike =
        std::ranges::all_of(*updates, [&](const auto& each) { return each.second.update == most; });
    StepAgreement steps;
    for (const auto& [shard, found] : *updates) {
        if (alike || found.counts >= kLeastCounts) {
            steps.add(data.files[shard.position()].path, "optimizer step", found.update);
        }
    }
    if (meta != nullptr) {
        steps.add("meta.pt", "global_step", globalStep(data, *meta, most, cancel));
    }
    steps.report(data);
}

void checkRankSteps(CheckpointData& data, const std::vector<RankStep>& ranks) {
    std::map<std::string, StepAgreement> groups;
    for (const RankStep& rank : ranks) {
        groups[rank.group].add(data.files[rank.file.position()].path, rank.field, rank.step,
                               rank.counter);
    }
    for (const auto& [group, steps] : groups) {
        steps.report(data);
    }
}

} // namespace cairn::formats::dcp
