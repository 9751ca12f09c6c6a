// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/weight_change.h"

#include "core/analysis/diff_weights.h"
#include "core/formats/format.h"
#include "core/jobs/bundle/found_weights.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

struct Opened {
    DiffSide left;
    DiffSide right;
    StructureDiff structure;
};

DiffSide weightsOf(CheckpointPtr checkpoint) {
    DiffSide side = DiffSide::whole(std::move(checkpoint));
    std::vector<TensorIndex> weights;
    std::copy_if(
        side.tensors.begin(), side.tensors.end(), std::back_inserter(weights),
        [&](TensorIndex tensor) { return side.checkpoint->tensor(tensor).role == Role::Weight; });
    side.tensors = std::move(weights); // none: nothing of it is comparable
    return side;
}

Result<Opened> open(const WeightPair& pair, const CancelToken& cancel) {
    Opened opened;
    CAIRN_TRY(CheckpointPtr left, openCheckpoint(pair.left, cancel));
    CAIRN_TRY(CheckpointPtr right, openCheckpoint(pair.right, cancel));
    CAIRN_TRY(const WeightValues leftWeights, findWeightValues(left, cancel));
    CAIRN_TRY(const WeightValues rightWeights, findWeightValues(right, cancel));
    WeightsDiff compared = weightsDiff(weightsOf(std::move(left)), leftWeights,
                                       weightsOf(std::move(right)), rightWeights);
    opened.left = std::move(compared.left);
    opened.right = std::move(compared.right);
    opened.structure = std::move(compared.structure);
    return opened;
}

std::vector<TensorChange> mostChanged(const Opened& opened, const std::vector<PairDiff>& values) {
    std::vector<TensorChange> most;
    for (const std::size_t at : mostChangedFirst(opened.structure, values)) {
        const PairDiff& diff = values[at];
        if (most.size() == WeightChange::kMaxTensors || !diff.compared() ||
            diff.values.changed == 0) {
            break;
        }
        most.push_back(
            {opened.left.checkpoint->tensor(opened.structure.pairs[at].left).name,
             diff.relativeChange(), diff.values.maxAbs,
             static_cast<double>(diff.values.changed) / static_cast<double>(diff.values.count)});
    }
    return most;
}

} // namespace

std::vector<WeightPair> weightPairs(const std::vector<CheckpointPair>& pairs,
                                    const ScannedRun& left, const ScannedRun& right) {
    std::vector<WeightPair> all;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!pairs[i].left || !pairs[i].right) {
            continue;
        }
        const ScannedCheckpoint& a = left.checkpoints.at(*pairs[i].left);
        const ScannedCheckpoint& b = right.checkpoints.at(*pairs[i].right);
        if (a.mayBeComplete() && b.mayBeComplete()) {
            all.push_back({i, a.path, b.path, a.modifiedNs, b.modifiedNs});
        }
    }
    if (all.size() <= kMaxWeightPairs) {
        return all;
    }
    std::vector<WeightPair> spread;
    for (std::size_t i = 0; i < kMaxWeightPairs; ++i) {
        spread.push_back(all[i * (all.size() - 1) / (kMaxWeightPairs - 1)]);
    }
    return spread;
}

Result<std::uint64_t> weightBytes(const std::vector<WeightPair>& pairs, const CancelToken& cancel) {
    std::uint64_t bytes = 0;
    for (const WeightPair& pair : pairs) {
        CAIRN_CHECK(cancel.check());
        if (const Result<Opened> opened = open(pair, cancel)) {
            bytes += diffBytes(*opened->left.checkpoint, *opened->right.checkpoint,
                               opened->structure.pairs);
        }
    }
    CAIRN_CHECK(cancel.check());
    return bytes;
}

Result<WeightChange> weightChange(const WeightPair& pair, std::atomic<std::uint64_t>& progress,
                                  const CancelToken& cancel) {
    WeightChange change;
    const Result<Opened> opened = open(pair, cancel);
    CAIRN_CHECK(cancel.check());
    if (!opened) {
        change.error = opened.error();
        return change;
    }
    DiffOptions options;
    options.cancel = cancel;
    options.progress = &progress;
    const Result<std::vector<PairDiff>> values = diffValues(
        *opened->left.checkpoint, *opened->right.checkpoint, opened->structure.pairs, options);
    CAIRN_CHECK(cancel.check());
    if (!values) {
        change.error = values.error();
        return change;
    }
    const DiffSums sums =
        rollUp(opened->left, opened->right, opened->structure, *values).root().sums;
    change.tensors = sums.tensors;
    change.changed = static_cast<std::uint64_t>(std::ranges::count_if(
        *values, [](const PairDiff& diff) { return diff.compared() && !diff.values.identical; }));
    change.unread = sums.unread;
    change.onlyLeft = sums.onlyLeft;
    change.onlyRight = sums.onlyRight;
    change.relative = sums.relativeChange();
    change.layers = layerStrip(opened->left, opened->structure, *values);
    change.most = mostChanged(*opened, *values);
    return change;
}

} // namespace cairn::ui
