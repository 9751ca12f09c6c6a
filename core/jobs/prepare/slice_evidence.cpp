// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/slice_evidence.h"

#include "core/families/expected/model_fit.h"
#include "core/families/slices/slice_shape.h"
#include "core/formats/common/members/replica_check.h"
#include "core/formats/format.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/model/names/tokens.h"
#include "core/model/role_decision.h"
#include "core/model/training_position.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRanks = 1024;

/// Names that differ from this one in their last number only, by that number, if they count from 0
/// or 1 without a gap; else empty.
std::map<std::int64_t, std::string> numberedLike(std::string_view name,
                                                 const std::vector<FolderEntry>& entries) {
    std::map<std::int64_t, std::string> numbered;
    const std::string_view stem = name.substr(0, name.rfind('.'));
    const auto runs = names::digitRuns(stem);
    if (runs.empty()) {
        return numbered;
    }
    const std::string_view before = name.substr(0, runs.back().begin);
    const std::string_view after = name.substr(runs.back().end);
    for (const FolderEntry& entry : entries) {
        const std::string_view other = entry.name;
        if (entry.kind == EntryKind::Folder || other.size() <= before.size() + after.size() ||
            !other.starts_with(before) || !other.ends_with(after)) {
            continue;
        }
        const auto number = names::decimal(
            other.substr(before.size(), other.size() - before.size() - after.size()));
        if (number) {
            numbered.emplace(*number, entry.name);
        }
    }
    const auto count = static_cast<std::int64_t>(numbered.size());
    const bool isCount = count >= 2 && numbered.size() <= kMostRanks &&
                         numbered.begin()->first >= 0 && numbered.begin()->first <= 1 &&
                         numbered.rbegin()->first - numbered.begin()->first + 1 == count;
    return isCount ? numbered : std::map<std::int64_t, std::string>();
}

bool recordsPosition(const Checkpoint& checkpoint, const CancelToken& cancel) {
    const TrainingPosition position = trainingPosition(checkpoint, cancel);
    return position.step.has_value() || position.epoch.has_value();
}

/// Whether two files of the same tensors look like slices of one model.
bool lookLikeSlices(const Checkpoint& one, const Checkpoint& other) {
    if (one.tensors().size() != other.tensors().size()) {
        return false;
    }
    CheckpointData both;
    const std::size_t shift = append(both, one, "", "");
    const std::size_t second = append(both, other, "", "");
    formats::ReplicaCheck check(both);
    std::size_t same = 0;
    std::size_t matrices = 0;
    std::size_t changed = 0;
    for (std::size_t i = 0; i < one.tensors().size(); ++i) {
        const TensorEntry& left = both.tensors[shift + i];
        const auto index = other.find(one.tensors()[i].name);
        if (!index) {
            return false;
        }
        const TensorEntry& right = both.tensors[second + index->position()];
        if (left.shape != right.shape || left.dtype != right.dtype) {
            return true; // an uneven cut: no training changes a shape
        }
        if (left.role != Role::Weight || left.aliasOf || left.shape.empty()) {
            continue;
        }
        const auto verdict = check.compare(left, right);
        const bool differs = verdict == formats::ReplicaCheck::Verdict::Different;
        same += verdict == formats::ReplicaCheck::Verdict::Same ? 1 : 0;
        matrices += left.shape.size() > 1 ? 1 : 0;
        changed += left.shape.size() > 1 && differs ? 1 : 0;
    }
    return same > 0 && changed > 0 && 2 * changed > matrices;
}

/// Whether the shapes are those of the config's class, all or some of them divided by the number of
/// files in one dimension.
bool areSlicesOfClass(const Checkpoint& checkpoint, const ModelConfig& config,
                      std::uint64_t files) {
    std::vector<OutputTensor> tensors;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        if (isModelRole(tensor.role)) {
            tensors.push_back({tensor.name, tensor.shape, tensor.dtype});
        }
    }
    const auto fit = fitModel(config, tensors);
    if (!fit || !*fit || (*fit)->difference.misshapen.empty()) {
        return false;
    }
    return std::ranges::all_of(tensors, [&](const OutputTensor& tensor) {
        const std::string& prefix = (*fit)->prefix;
        const auto* whole = tensor.name.starts_with(prefix)
                                ? (*fit)->expected.find(tensor.name.substr(prefix.size()))
                                : nullptr;
        if (whole == nullptr || whole->shape == tensor.shape) {
            return true;
        }
        const auto cut = cutDimension(std::span(&tensor.shape, 1), whole->shape);
        return cut && tensor.shape[*cut] > 0 && whole->shape[*cut] % tensor.shape[*cut] == 0 &&
               static_cast<std::uint64_t>(whole->shape[*cut] / tensor.shape[*cut]) == files;
    });
}

} // namespace

Result<void> refuseUndecidedSlices(const NamedCheckpoint& named, const CancelToken& cancel) {
    const std::string name = named.path.filename().string();
    const auto folder = Location(named.path).openParent();
    const auto entries =
        folder ? (*folder)->list() : Result<std::vector<FolderEntry>>(folder.error());
    const auto numbered =
        entries ? numberedLike(name, *entries) : std::map<std::int64_t, std::string>();
    if (numbered.empty() || recordsPosition(*named.checkpoint, cancel)) {
        return {};
    }
    const auto config = findModelConfig(*named.checkpoint);
    if (config && areSlicesOfClass(*named.checkpoint, config->fields, numbered.size())) {
        return fail(ErrorCode::InvalidArgument,
                    "The file contains one rank's slices of the tensors of the config's class")
            .inFile(named.path.string())
            .butFound(sentence("one of %1 files with such names", numbered.size()))
            .expecting(verbatim(config->origin))
            .withHint("Name the files model_rank_0 and so on, and open their folder");
    }
    if (named.chosenFrom.empty() || named.candidates < 2) {
        return {};
    }
    const std::string& neighbour = numbered.begin()->second == name
                                       ? std::next(numbered.begin())->second
                                       : numbered.begin()->second;
    const auto other = openCheckpoint(named.path.parent_path() / neighbour, cancel);
    CAIRN_CHECK(cancel.check());
    if (!other || !lookLikeSlices(*named.checkpoint, **other)) {
        return {};
    }
    return fail(ErrorCode::InvalidArgument,
                "Whether these files are slices of one model or checkpoints of one training is not "
                "recorded")
        .inFile(named.chosenFrom.string())
        .butFound(sentence("%1 and %2: the same tensors, some with equal elements, and no step",
                           neighbour, name))
        .expecting("a step or an epoch in the files, or one of them as the source")
        .withHint("Specify the checkpoint to use. If they are slices, name them model_rank_0 and "
                  "so on, and a folder with the model's config.json by --like");
}

} // namespace cairn
