// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/explain_fold.h"

#include "core/analysis/tensor_pass.h"
#include "core/base/counted.h"
#include "core/families/adapters/adapter.h"
#include "core/jobs/bundle/bundle.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/fold/explain_values.h"
#include "core/jobs/fold/job_source.h"
#include "core/model/cast_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace cairn {
namespace {

constexpr std::array<std::string_view, kFoldVerdicts> kVerdictNames = {
    "unchanged", "exact",       "within rounding", "not applied", "scaled", "not explained",
    "touched",   "other shape", "missing",         "added",       "unread"};
constexpr double kSameFactor = 0.01; ///< of factors that one scale explains

/// A side under the names of the model's library.
struct Side {
    JobSource source;
    std::vector<NamedTensor> named;
    std::vector<Sidecar> config;     ///< as it was found; empty: there is none
    std::optional<bool> tiesWeights; ///< as that says
};

/// `config`: of the other side, for one that has none.
Result<Side> sideOf(const FoldSide& given, const std::vector<Sidecar>& config,
                    const std::vector<AdapterMember>& adapters, const CancelToken& cancel) {
    Side side;
    JobSource& source = side.source;
    source.checkpoint = given.checkpoint;
    source.request.bundle = true;
    source.request.only.subtree = given.subtree;
    source.adapters = adapters;
    CAIRN_TRY(SidecarSearch found, findSidecars(*given.checkpoint));
    source.sidecars = std::move(found.files);
    std::ranges::copy_if(source.sidecars, std::back_inserter(side.config),
                         [](const Sidecar& each) { return each.name == "config.json"; });
    side.tiesWeights = tiesEmbeddings(side.config);
    if (side.config.empty()) {
        std::ranges::copy(config, std::back_inserter(source.sidecars));
    }
    if (auto values = given.checkpoint->values(cancel)) {
        source.values = std::move(*values);
    }
    CAIRN_CHECK(cancel.check());
    CAIRN_TRY(source, withNamesAndAdapters(std::move(source), ComputedBy::Kernels, cancel));
    CAIRN_TRY(const auto chosen, selectTensors(*source.checkpoint, source.request.only));
    CAIRN_TRY(side.named,
              modelNames(*source.checkpoint, chosen, source.values ? &*source.values : nullptr));
    return side;
}

/// What is compared: indices into the folded, the base's and the merged checkpoint.
struct Comparison {
    std::size_t row = 0;
    TensorIndex folded;
    std::optional<TensorIndex> base; ///< empty: the adapter adds the tensor to the model
    TensorIndex merged;
};

class Explainer {
public:
    Explainer(Side base, Side merged, const FoldExplainOptions& options)
        : m_base(std::move(base)), m_merged(std::move(merged)), m_options(options) {
        m_basePlan.source = m_base.source.unfolded;
        m_foldPlan.source = m_base.source.checkpoint;
        m_foldPlan.recipes = m_base.source.fold->recipes;
    }

    Result<FoldExplanation> run() {
        pair();
        const Checkpoint& merged = *m_merged.source.checkpoint;
        forEachParallel(m_comparisons.size(), 0, m_options.cancel, [&](std::size_t i) {
            const Comparison& each = m_comparisons[i];
            ExplainedTensor& row = m_made.tensors[each.row];
            if (auto done = compare(each, row); !done) {
                row.verdict = FoldVerdict::Unread;
                row.error = std::move(done).error();
            }
            if (m_options.progress != nullptr) {
                *m_options.progress += merged.tensor(each.merged).bytes();
            }
        });
        CAIRN_CHECK(m_options.cancel.check());
        m_made.adapters = m_base.source.fold->adapters;
        find();
        return std::move(m_made);
    }

private:
    [[nodiscard]] const CheckpointPtr& folded() const { return m_base.source.checkpoint; }

    void pair() {
        std::map<std::string_view, TensorIndex> merged;
        for (const NamedTensor& each : m_merged.named) {
            merged.emplace(each.name, each.tensor);
        }
        const std::optional<TiedHead>& tied = m_base.source.fold->tied;
        std::set<std::string_view> used;
        for (const NamedTensor& each : m_base.named) {
            ExplainedTensor row;
            row.name = each.name;
            row.target = m_base.source.fold->changed.contains(each.tensor);
            auto found = merged.find(each.name);
            const bool isHead = tied && each.name == tied->headName;
            if (found == merged.end() && isHead && m_merged.tiesWeights != false) {
                found = merged.find(nameOf(tied->embedding));
                row.merged = found != merged.end() ? std::string(found->first) : std::string();
            }
            if (found == merged.end()) {
                row.verdict = FoldVerdict::Missing;
            } else {
                used.insert(found->first);
                const bool added = isAdded(each.tensor);
                row.target = row.target || (added && !isHead);
                m_comparisons.push_back({m_made.tensors.size(), each.tensor,
                                         !added   ? std::optional(each.tensor)
                                         : isHead ? std::optional(tied->embedding)
                                                  : std::nullopt,
                                         found->second});
            }
            m_made.tensors.push_back(std::move(row));
        }
        for (const NamedTensor& each : m_merged.named) {
            if (used.contains(each.name)) {
                continue;
            }
            ExplainedTensor row;
            row.name = each.name;
            row.verdict = FoldVerdict::Added;
            if (tied && !tied->head && each.name == tied->headName) { // stored only there
                row.target = m_base.source.fold->changed.contains(tied->embedding);
                m_comparisons.push_back(
                    {m_made.tensors.size(), tied->embedding, tied->embedding, each.tensor});
            }
            m_made.tensors.push_back(std::move(row));
        }
    }

    /// A tied head that the fold writes on its own, or a tensor that the base lacks.
    [[nodiscard]] bool isAdded(TensorIndex tensor) const {
        return tensor.position() >= m_base.source.unfolded->tensors().size();
    }

    [[nodiscard]] std::string_view nameOf(TensorIndex tensor) const {
        const auto found = std::ranges::find(m_base.named, tensor, &NamedTensor::tensor);
        return found != m_base.named.end() ? std::string_view(found->name) : std::string_view();
    }

    Result<void> compare(const Comparison& each, ExplainedTensor& row) const {
        const Checkpoint& merged = *m_merged.source.checkpoint;
        const TensorEntry& expected = folded()->tensor(each.folded);
        if (merged.tensor(each.merged).shape != expected.shape) {
            row.verdict = FoldVerdict::OtherShape;
            return {};
        }
        const Dtype dtype = merged.tensor(each.merged).dtype;
        const Dtype stored = expected.dtype;
        if (dtype != stored && !canCast(stored, dtype)) {
            row.verdict = row.target ? FoldVerdict::Other : FoldVerdict::Touched;
            return {};
        }
        const MergedTensor tensor{each.base ? m_basePlan : m_foldPlan,
                                  each.base.value_or(each.folded),
                                  m_foldPlan,
                                  each.folded,
                                  merged,
                                  each.merged};
        const CancelToken& cancel = m_options.cancel;
        const bool isSized =
            each.base && m_base.source.unfolded->tensor(*each.base).shape == expected.shape;
        if (row.target) {
            CAIRN_TRY(const bool exact, isFolded(tensor, cancel));
            if (exact) {
                row.verdict = FoldVerdict::Exact;
                return {};
            }
        }
        if (!isSized) { // replaced by one with more rows, or added
            row.verdict = FoldVerdict::Other;
            return {};
        }
        CAIRN_TRY(const bool base, isBase(tensor, cancel));
        if (!row.target || base) {
            row.verdict = base ? (row.target ? FoldVerdict::NotApplied : FoldVerdict::Unchanged)
                               : FoldVerdict::Touched;
            return {};
        }
        CAIRN_TRY(const FoldMeasure measure, measureFold(tensor, cancel));
        row.verdict = measure.within   ? FoldVerdict::Rounding
                      : measure.scaled ? FoldVerdict::Scaled
                                       : FoldVerdict::Other;
        row.elements = measure.elements;
        row.outside = measure.outside;
        row.factor = measure.factor;
        row.residual = measure.residual;
        return {};
    }

    void find() {
        const std::uint64_t targets = m_made.targets();
        std::vector<double> factors;
        for (const ExplainedTensor& each : m_made.tensors) {
            if (each.verdict == FoldVerdict::Scaled) {
                factors.push_back(*each.factor);
            }
        }
        const auto say = [&](Sentence sentence) { m_made.findings.push_back(std::move(sentence)); };
        if (!factors.empty()) {
            const auto [least, most] = std::ranges::minmax(factors);
            const bool same =
                most - least <= kSameFactor * std::max(std::abs(most), std::abs(least));
            std::array<char, 32> text{};
            std::snprintf(text.data(), text.size(), "%.4g", factors[factors.size() / 2]);
            say(same ? sentence("The changes of %1 are %2 times what the adapter gives: another "
                                "alpha, rank or scale",
                                counting(factors.size(), "tensor"), text.data())
                     : sentence("The changes of %1 are multiples of what the adapter gives, but "
                                "not the same ones: another alpha_pattern or rank_pattern",
                                counting(factors.size(), "tensor")));
        }
        if (const auto left = m_made.count(FoldVerdict::NotApplied); left > 0) {
            say(left == targets
                    ? "The adapter was not applied: all tensors that it changes are as in the base"
                    : sentence(
                          "The adapter was applied in part: %1 that it changes are as in the base",
                          counting(left, "tensor")));
        }
        if (const auto other = m_made.count(FoldVerdict::Other); other > 0) {
            say(sentence("The changes of %1 are not those of this adapter: another adapter, "
                         "another base, or a change besides",
                         counting(other, "tensor")));
        }
        if (const auto touched = m_made.count(FoldVerdict::Touched); touched > 0) {
            say(sentence(
                "Another base, or a change besides: %1 that the adapter does not change differ",
                counting(touched, "tensor")));
        }
    }

    Side m_base;
    Side m_merged;
    FoldExplainOptions m_options;
    CopyPlan m_basePlan;
    CopyPlan m_foldPlan;
    std::vector<Comparison> m_comparisons;
    FoldExplanation m_made;
};

} // namespace

std::string_view foldVerdictName(FoldVerdict verdict) {
    return kVerdictNames[static_cast<std::size_t>(verdict)];
}

bool isExplained(FoldVerdict verdict) {
    return verdict == FoldVerdict::Unchanged || verdict == FoldVerdict::Exact ||
           verdict == FoldVerdict::Rounding;
}

bool FoldExplanation::explained() const {
    return std::ranges::all_of(
        tensors, [](const ExplainedTensor& each) { return isExplained(each.verdict); });
}

std::uint64_t FoldExplanation::count(FoldVerdict verdict) const {
    return static_cast<std::uint64_t>(
        std::ranges::count(tensors, verdict, &ExplainedTensor::verdict));
}

std::uint64_t FoldExplanation::targets() const {
    return static_cast<std::uint64_t>(std::ranges::count(tensors, true, &ExplainedTensor::target));
}

Result<FoldExplanation> explainFold(const FoldSide& base, const FoldSide& merged,
                                    const std::vector<AdapterMember>& adapters,
                                    const FoldExplainOptions& options) {
    if (adapters.empty()) {
        return fail(ErrorCode::InvalidArgument, "No adapter was specified");
    }
    CAIRN_TRY(Side folded, sideOf(base, {}, adapters, options.cancel));
    CAIRN_TRY(Side other, sideOf(merged, folded.config, {}, options.cancel));
    return Explainer(std::move(folded), std::move(other), options).run();
}

} // namespace cairn
