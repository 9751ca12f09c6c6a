// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/step_check.h"

#include "core/base/other_machine.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/step_agreement.h"
#include "core/model/announced_reads.h"
#include "core/model/element.h"
#include "core/model/names/tokens.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cstdint>
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
constexpr std::uint64_t kLargestCount = 64;
// A parameter that was temporarily frozen has a different count, so one such parameter in a shard
// (of a save with many ranks) does not indicate a different save.
constexpr std::size_t kLeastCounts = 2;

struct ShardUpdates {
    std::int64_t update = 0;
    std::size_t counts = 0;
};

/// The counts of each examined shard.
using CountsOfShards = std::map<FileIndex, std::vector<const TensorEntry*>>;

bool isUpdateCount(const TensorEntry& tensor) {
    return tensor.shape.empty() && tensor.pieces.size() == 1 && hasNumericElements(tensor.dtype) &&
           tensor.role == Role::Optimizer && tensor.name.ends_with(".step");
}

CountsOfShards countsOfShards(const CheckpointData& data) {
    CountsOfShards ofShard;
    for (const TensorEntry& tensor : data.tensors) {
        if (!isUpdateCount(tensor)) {
            continue;
        }
        const FileIndex shard = tensor.pieces.front().file;
        if (ofShard.contains(shard) || ofShard.size() < kMaxShards) {
            ofShard[shard].push_back(&tensor);
        }
    }
    return ofShard;
}

/// Some counts of each shard as a separate checkpoint, so that the files opened here do not stay
/// open with `data` and hide later changes.
CheckpointPtr readCounts(const CheckpointData& data, const CountsOfShards& ofShard) {
    CheckpointData counts;
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

/// Finds the counts that only one kind of parameters has: all of their names have a word that no
/// name with another count has, in several modules, each of which has parameters with another
/// count. Biases or adapters that were trained later are such a kind; a pipeline's blocks, an
/// encoder beside a decoder, or a head alone are not. By names only: it may also be a shard of
/// another save, since savers balance these scalars over the files.
class ParameterKinds {
public:
    void add(std::string_view name, std::int64_t update) {
        m_names[update].push_back(name);
        std::size_t begin = 0;
        while (begin < name.size()) {
            const std::size_t dot = std::min(name.find('.', begin), name.size());
            for (std::string& word : names::wordsOf(name.substr(begin, dot - begin))) {
                note(m_words, std::move(word), update);
            }
            begin = dot + 1;
            if (dot < name.size()) {
                note(m_modules, name.substr(0, begin), update);
            }
        }
    }

    /// The counts that are each of one kind, of several names.
    [[nodiscard]] std::set<std::int64_t> found() const {
        std::set<std::int64_t> kinds;
        for (const auto& [update, own] : m_names) {
            if (own.size() < kLeastCounts) {
                continue;
            }
            const std::vector<std::string> words = names::wordsOf(own.front());
            if (std::ranges::any_of(words, [&, number = update](const std::string& word) {
                    return isKind(word, number);
                })) {
                kinds.insert(update);
            }
        }
        return kinds;
    }

private:
    struct Seen {
        std::int64_t update = 0; ///< the first
        bool others = false;
    };

    template <class Map, class Key> static void note(Map& map, Key key, std::int64_t update) {
        Seen& seen = map.try_emplace(std::move(key), Seen{update, false}).first->second;
        seen.others = seen.others || seen.update != update;
    }

    /// The part of the name before the one with the word, with its dot; empty: there is none.
    static std::string_view moduleBefore(std::string_view name, const std::string& word) {
        std::size_t begin = 0;
        while (begin < name.size()) {
            const std::size_t dot = std::min(name.find('.', begin), name.size());
            const std::vector<std::string> words = names::wordsOf(name.substr(begin, dot - begin));
            if (std::ranges::find(words, word) != words.end()) {
                return name.substr(0, begin);
            }
            begin = dot + 1;
        }
        return {};
    }

    [[nodiscard]] bool isKind(const std::string& word, std::int64_t update) const {
        if (m_words.at(word).others) {
            return false;
        }
        std::set<std::string_view> modules;
        for (const std::string_view name : m_names.at(update)) {
            const std::string_view module = moduleBefore(name, word);
            const auto seen = m_modules.find(module);
            if (module.empty() || seen == m_modules.end() || !seen->second.others) {
                return false;
            }
            modules.insert(module);
        }
        return modules.size() >= kLeastCounts;
    }

    std::map<std::int64_t, std::vector<std::string_view>> m_names;
    std::map<std::string, Seen> m_words;
    std::map<std::string_view, Seen> m_modules;
};

using UpdatesOfShards = std::map<FileIndex, ShardUpdates>;

bool isFar(const Checkpoint& counts, const TensorEntry& tensor) {
    if (tensor.pieces.empty()) {
        return false;
    }
    const CheckpointFile& shard = counts.files()[tensor.pieces.front().file.position()];
    return shard.folder != nullptr && isOnOtherMachine(shard.folder->path());
}

/// The updates recorded by the states in each shard. Empty: a shard contains states with different
/// counts, as after temporarily frozen parameters, so that the counts do not identify the save.
/// Fails: Io if the shards are on another machine, which does not answer.
Result<std::optional<UpdatesOfShards>> updatesOfShards(const Checkpoint& counts,
                                                       const CancelToken& cancel) {
    std::vector<const TensorEntry*> tensors;
    for (const TensorEntry& tensor : counts.tensors()) {
        tensors.push_back(&tensor);
    }
    announceReads(counts, tensors, cancel);
    UpdatesOfShards updates;
    for (const TensorEntry& tensor : counts.tensors()) {
        const auto update = recordedStep(counts, tensor);
        if (!cancel.cancelled() && !update && isFar(counts, tensor)) { // why it was not read
            const auto read = readComplete(counts, tensor, kLargestCount);
            if (!read && read.error().code == ErrorCode::Io) {
                return read.error();
            }
        }
        if (cancel.cancelled() || !update) {
            return std::optional<UpdatesOfShards>();
        }
        ShardUpdates& shard =
            updates.try_emplace(tensor.pieces.front().file, ShardUpdates{*update, 0}).first->second;
        if (shard.update != *update) {
            return std::optional<UpdatesOfShards>();
        }
        ++shard.counts;
    }
    return std::optional(std::move(updates));
}

std::int64_t mostUpdates(const UpdatesOfShards& updates) {
    return std::ranges::max_element(updates, {},
                                    [](const auto& each) { return each.second.update; })
        ->second.update;
}

/// Removes the shards whose count may be that of a kind of parameters, and says so: the others must
/// agree. If all are kinds, those with the most updates stay.
void dropKinds(CheckpointData& data, UpdatesOfShards& updates, const CountsOfShards& counts) {
    const std::int64_t most = mostUpdates(updates);
    const auto isMost = [&](const auto& each) { return each.second.update == most; };
    if (std::ranges::all_of(updates, isMost)) {
        return;
    }
    ParameterKinds parameters;
    for (const auto& [shard, found] : updates) {
        for (const TensorEntry* tensor : counts.at(shard)) {
            parameters.add(tensor->name, found.update);
        }
    }
    std::set<std::int64_t> kinds = parameters.found();
    const auto isKind = [&](const auto& each) { return kinds.contains(each.second.update); };
    if (std::ranges::all_of(updates, isKind)) {
        kinds.erase(most);
    }
    const auto first = std::ranges::find_if(updates, isKind);
    if (first == updates.end()) {
        return;
    }
    const auto rest = std::ranges::find_if_not(updates, isKind);
    addNotice(data, Severity::Warning,
              fail(ErrorCode::UnequalSteps,
                   "Shards record different counts of updates; they differ between kinds of "
                   "parameters, or the shards are of different saves")
                  .inFile(data.files[first->first.position()].path)
                  .inField("optimizer step")
                  .butFound(sentence("step %1", first->second.update))
                  .expecting(sentence("step %1", rest->second.update)));
    std::erase_if(updates, isKind);
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
    return skips && updates < *step ? std::nullopt : std::optional(*step);
}

/// A loop that asks for the optimizer's state before its first step makes an update of zeros, which
/// looks like shards of a save one step later.
void addOneMore(CheckpointData& data, std::int64_t step, std::int64_t updates) {
    addNotice(data, Severity::Warning,
              fail(ErrorCode::UnequalSteps,
                   "The optimizer counts one update more than global_step; the loop asked for its "
                   "state before the first step, or the shards are of a later save")
                  .inFile("meta.pt")
                  .inField("global_step")
                  .butFound(sentence("step %1", step))
                  .expecting(sentence("step %1", updates)));
}

} // namespace

Result<void> checkSteps(CheckpointData& data, const CheckpointPtr& meta,
                        const CancelToken& cancel) {
    const CountsOfShards counts = countsOfShards(data);
    CAIRN_TRY(auto updates, updatesOfShards(*readCounts(data, counts), cancel));
    if (!updates || updates->empty()) {
        return {};
    }
    dropKinds(data, *updates, counts);
    const std::int64_t most = mostUpdates(*updates);
    const bool alike =
        std::ranges::all_of(*updates, [&](const auto& each) { return each.second.update == most; });
    StepAgreement steps;
    for (const auto& [shard, found] : *updates) {
        if (alike || found.counts >= kLeastCounts) {
            steps.add(data.files[shard.position()].path, "optimizer step", found.update);
        }
    }
    if (meta != nullptr) {
        const auto step = globalStep(data, *meta, most, cancel);
        if (step && most == *step + 1) {
            addOneMore(data, *step, most);
        } else {
            steps.add("meta.pt", "global_step", step);
        }
    }
    steps.report(data);
    return {};
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
