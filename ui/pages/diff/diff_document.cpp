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
#include <map>
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

void sumUp(DiffDocument& document) {
    document.tree = rollUp(document.left, document.right, document.structure, document.values);
    document.layers = document.hasValues()
                          ? layerStrip(document.left, document.structure, document.values)
                          : std::vector<LayerChange>();
}

std::vector<TensorPair> unknownPairs(const DiffDocument& document) {
    std::vector<TensorPair> pairs;
    for (std::size_t i = 0; i < document.structure.pairs.size(); ++i) {
        if (document.known.empty() || !document.known[i]) {
            pairs.push_back(document.structure.pairs[i]);
        }
    }
    return pairs;
}

/// `values`: of unknownPairs(), in their order.
void takeValues(DiffDocument& document, std::vector<PairDiff> values) {
    if (document.known.empty()) {
        document.values = std::move(values);
    } else {
        auto next = values.begin();
        document.values.clear();
        for (std::optional<PairDiff>& known : std::exchange(document.known, {})) {
            document.values.push_back(known ? std::move(*known) : std::move(*next++));
        }
    }
    sumUp(document);
}

/// The tensors of the shown roles, of whose values nothing is known.
void chooseTensors(DiffDocument& document) {
    document.structure = ofRoles(document.left, document.right, document.matched, document.shown);
    document.bytes =
        diffBytes(*document.left.checkpoint, *document.right.checkpoint, unknownPairs(document));
    sumUp(document);
}

/// What `before` knows of the values of `pairs`.
std::vector<std::optional<PairDiff>> knownOf(const DiffDocument& before,
                                             const std::vector<TensorPair>& pairs) {
    std::map<std::pair<TensorIndex, TensorIndex>, std::size_t> places;
    for (std::size_t i = 0; i < before.structure.pairs.size(); ++i) {
        const TensorPair& pair = before.structure.pairs[i];
        places.emplace(std::pair(pair.left, pair.right), i);
    }
    std::vector<std::optional<PairDiff>> known(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto place = places.find({pairs[i].left, pairs[i].right});
        if (place != places.end()) {
            known[i] = before.hasValues()     ? std::optional(before.values[place->second])
                       : before.known.empty() ? std::nullopt
                                              : before.known[place->second];
        }
    }
    return known;
}

} // namespace

bool DiffDocument::isShown(Role role) const {
    return std::ranges::find(shown, role) != shown.end();
}

DiffDocumentPtr withRoles(const DiffDocumentPtr& document, std::vector<Role> shown) {
    auto next = std::make_shared<DiffDocument>();
    next->left = document->left;
    next->right = document->right;
    next->matched = document->matched;
    next->roles = document->roles;
    next->tolerance = document->tolerance;
    next->plain = document->plain;
    next->plainProblem = document->plainProblem;
    next->shown = std::move(shown);
    next->structure = ofRoles(next->left, next->right, next->matched, next->shown);
    next->known = knownOf(*document, next->structure.pairs);
    const bool areKnown =
        !next->known.empty() &&
        std::ranges::all_of(next->known, [](const auto& each) { return each.has_value(); });
    if (areKnown) {
        takeValues(*next, {});
    } else {
        chooseTensors(*next);
    }
    return next;
}

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
    document->matched = std::move(compared.structure);
    CAIRN_CHECK(cancel.check());
    document->roles = rolesOf(document->left, document->right, document->matched);
    document->shown = rolesAtFirst(document->roles);
    chooseTensors(*document);
    const Checkpoint& leftSide = *document->left.checkpoint;
    const Checkpoint& rightSide = *document->right.checkpoint;
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
    if (next->tolerance.rtol != tolerance.rtol || next->tolerance.atol != tolerance.atol) {
        next->known.clear(); // elements beyond a tolerance are counted while reading
    }
    const std::vector<TensorPair> unknown = unknownPairs(*next);
    DiffOptions options;
    options.cancel = cancel;
    options.tolerance = tolerance;
    options.progress = progress.get();
    CAIRN_TRY(options.backend,
              chooseBackend(device, {DeviceWork::Kind::Comparison, document->bytes, 0, 0}));
    CAIRN_TRY(std::vector<PairDiff> values,
              diffValues(*next->left.checkpoint, *next->right.checkpoint, unknown, options));
    next->tolerance = tolerance;
    takeValues(*next, std::move(values));
    return DiffDocumentPtr(std::move(next));
}

std::optional<bool> isEarlier(const ScannedRun& run, const std::filesystem::path& checkpoint,
                              const std::filesystem::path& other) {
    const auto one = std::ranges::find(run.checkpoints, checkpoint, &ScannedCheckpoint::path);
    const auto two = std::ranges::find(run.checkpoints, other, &ScannedCheckpoint::path);
    const bool areOrdered = one != run.checkpoints.end() && two != run.checkpoints.end() &&
                            !one->isExport && !two->isExport;
    return areOrdered ? std::optional(one < two) : std::nullopt;
}

std::vector<Neighbour> neighboursOf(const ScannedRun& run,
                                    const std::filesystem::path& checkpoint) {
    const auto self = std::ranges::find(run.checkpoints, checkpoint, &ScannedCheckpoint::path);
    return around(run, static_cast<std::size_t>(self - run.checkpoints.begin()));
}

} // namespace cairn::ui
