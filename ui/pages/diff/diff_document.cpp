// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_document.h"

#include "core/analysis/diff_weights.h"
#include "core/compute/device_choice.h"
#include "core/jobs/bundle/found_weights.h"
#include "core/runs/run_counts.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxNeighbours = 12;

struct DocumentWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::DiffPage)
};

std::vector<Neighbour> around(const ScannedRun& run, std::size_t self) {
    std::vector<std::size_t> order;
    for (std::size_t i = self; i > 0; --i) {
        order.push_back(i - 1);
    }
    for (std::size_t i = self + 1; i < run.checkpoints.size(); ++i) {
        order.push_back(i);
    }
    const RunSaves saves(run);
    const auto isWhole = [&](std::size_t i) { return run.checkpoints[i].mayBeComplete(); };
    const auto isSave = [&](std::size_t i) { return isWhole(i) && saves.has(run.checkpoints[i]); };
    std::ranges::stable_partition(order, isWhole);
    std::ranges::stable_partition(order, isSave);
    const bool hasPrevious = !order.empty() && order.front() < self && isSave(order.front());
    const std::size_t previous = hasPrevious ? order.front() : run.checkpoints.size();
    order.resize(std::min(order.size(), kMaxNeighbours));
    std::vector<Neighbour> found;
    for (const std::size_t i : order) {
        const ScannedCheckpoint& checkpoint = run.checkpoints[i];
        QString remark = i == previous ? DocumentWords::tr("previous") : QString();
        if (!isWhole(i)) {
            remark = text::coreText(stateName(checkpoint.state));
        }
        found.push_back({checkpoint.path, text::fromCore(checkpoint.name), remark});
    }
    return found;
}

} // namespace

bool DiffDocument::hasOtherDtypes() const {
    return std::ranges::any_of(structure.pairs,
                               [](const TensorPair& pair) { return !pair.sameDtype; });
}

Result<DiffDocumentPtr> diffStructureOf(CheckpointPtr left, CheckpointPtr right,
                                        const NameRules& rules, const CancelToken& cancel) {
    auto document = std::make_shared<DiffDocument>();
    CAIRN_TRY(const WeightValues leftWeights, findWeightValues(left, cancel));
    CAIRN_TRY(const WeightValues rightWeights, findWeightValues(right, cancel));
    WeightsDiff compared = weightsDiff(DiffSide::whole(std::move(left)), leftWeights,
                                       DiffSide::whole(std::move(right)), rightWeights, rules);
    document->left = std::move(compared.left);
    document->right = std::move(compared.right);
    document->structure = std::move(compared.structure);
    CAIRN_CHECK(cancel.check());
    document->tree = rollUp(document->left, document->right, document->structure, {});
    const Checkpoint& leftSide = *document->left.checkpoint;
    const Checkpoint& rightSide = *document->right.checkpoint;
    document->bytes = diffBytes(leftSide, rightSide, document->structure.pairs);
    auto plain = diffPlainValues(leftSide, rightSide, cancel);
    CAIRN_CHECK(cancel.check());
    if (plain) {
        document->plain = std::move(*plain);
    } else { // the tensors can be compared all the same
        document->plainProblem = text::fromCore(describe(plain.error()));
    }
    return DiffDocumentPtr(std::move(document));
}

Result<DiffDocumentPtr> diffValuesOf(const DiffDocumentPtr& document, const Tolerance& tolerance,
                                     const std::string& device,
                                     const std::shared_ptr<std::atomic<std::uint64_t>>& progress,
                                     const CancelToken& cancel) {
    auto next = std::make_shared<DiffDocument>(*document);
    DiffOptions options;
    options.cancel = cancel;
    options.tolerance = tolerance;
    options.progress = progress.get();
    CAIRN_TRY(options.backend,
              chooseBackend(device, {DeviceWork::Kind::Comparison, document->bytes, 0, 0}));
    CAIRN_TRY(next->values, diffValues(*next->left.checkpoint, *next->right.checkpoint,
                                       next->structure.pairs, options));
    next->tree = rollUp(next->left, next->right, next->structure, next->values);
    next->layers = layerStrip(next->left, next->structure, next->values);
    return DiffDocumentPtr(std::move(next));
}

std::vector<Neighbour> neighboursOf(const ScannedRun& run,
                                    const std::filesystem::path& checkpoint) {
    const auto self = std::ranges::find(run.checkpoints, checkpoint, &ScannedCheckpoint::path);
    return around(run, static_cast<std::size_t>(self - run.checkpoints.begin()));
}

} // namespace cairn::ui
