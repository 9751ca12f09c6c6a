// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/job_source.h"

#include "core/base/counted.h"
#include "core/families/slices/rank_slices.h"
#include "core/formats/common/members/replica_check.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/fold/fold_source.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// How the parts that several ranks have were compared.
struct ComparedCopies {
    std::size_t sampled = 0; ///< by samples of their bytes only
    std::size_t unknown = 0; ///< not at all
};

/// What several ranks have has to be equal: otherwise another program wrote the files.
Result<ComparedCopies> compareCopies(const JoinedRanks& joined) {
    formats::ReplicaCheck check(joined.checkpoint->data());
    using Verdict = formats::ReplicaCheck::Verdict;
    const auto mayBeCopies = [&joined](const TensorEntry& tensor, Verdict verdict) -> Result<void> {
        if (verdict != Verdict::Different) {
            return {};
        }
        return fail(ErrorCode::BadSlice,
                    "Ranks that should have the same heads of keys or values have different ones")
            .inTensor(tensor.name)
            .expecting(
                sentence("copies, because there are more ranks, %1, than such heads", joined.ranks))
            .withHint("Name the folder of the same model with --like");
    };
    ComparedCopies made;
    std::vector<std::size_t> sampled;
    for (std::size_t i = 0; i < joined.copies.size(); ++i) { // samples of all before all of some
        const auto& [used, copy] = joined.copies[i];
        const std::size_t before = check.sampled();
        const Verdict verdict = check.compare(used, copy);
        CAIRN_CHECK(mayBeCopies(used, verdict));
        made.unknown += verdict == Verdict::NotCompared ? 1 : 0;
        if (verdict == Verdict::Same && check.sampled() > before) {
            sampled.push_back(i);
        }
    }
    for (const std::size_t i : sampled) {
        const auto& [used, copy] = joined.copies[i];
        const Verdict verdict = check.compare(used, copy, formats::ReplicaCheck::Depth::Whole);
        CAIRN_CHECK(mayBeCopies(used, verdict));
        made.sampled += verdict == Verdict::NotCompared ? 1 : 0;
    }
    return made;
}

/// What the files do not show; empty: nothing.
Sentence assumptionOf(const JoinedRanks& joined, const ComparedCopies& copies) {
    const Sentence order =
        joined.experts == 0
            ? Sentence()
            : "vLLM's tensors of all experts do not show the order of their rows; the gate first "
              "was assumed, and kernels that reorder them (FlashInfer, ROCm AITER, TensorRT-LLM) "
              "leave no trace";
    Sentence equal;
    if (copies.unknown > 0) {
        equal = sentence("%1 of heads that several ranks have could not be compared",
                         counting(copies.unknown, "copy", "copies"));
    } else if (copies.sampled > 0) {
        equal = sentence("%1 of heads that several ranks have were compared by samples only",
                         counting(copies.sampled, "copy", "copies"));
    }
    if (equal.empty()) {
        return order;
    }
    return order.empty() ? equal : sentence("%1; %2", order, equal);
}

PlanDecision decisionOf(const JoinedRanks& joined, const ComparedCopies& copies) {
    PlanDecision made;
    made.id = DecisionId::SlicesJoined;
    made.value = joined.ranks == 1
                     ? sentence("%1 of those that vLLM fuses", counting(joined.joined, "tensor"))
                     : sentence("%1 of %2 joined", counting(joined.joined, "tensor"),
                                counting(joined.ranks, "rank"));
    if (joined.padded > 0) {
        made.value = sentence("%1, without the padding of the vocabulary", made.value);
    }
    made.why = joined.ranks == 1
                   ? sentence("vLLM stores several layers in one tensor; their shapes are those of "
                              "%1",
                              joined.model)
                   : sentence("The files do not record how the tensors were cut; their shapes add "
                              "up to those of %1",
                              joined.model);
    made.assumption = assumptionOf(joined, copies);
    if (!made.assumption.empty()) {
        made.why = sentence("%1. %2", made.why, made.assumption);
    }
    return made;
}

/// Files of ranks that do not record how their tensors were cut are joined by the class of the
/// config. Without a config, or if `force` writes what cannot be joined, they stay as they are, and
/// those of one rank also if its class does not have the layers that vLLM fuses one by one.
Result<void> joinSlices(JobSource& source) {
    const bool all = source.request.only.kind == Selection::Kind::All; // state is not joined
    const bool areCut = hasRankTensors(*source.checkpoint);
    const bool mayTakeApart = source.request.names != "keep" && hasFusedLayers(*source.checkpoint);
    if (all || (!areCut && !mayTakeApart)) {
        return {};
    }
    const auto config = sidecarFields(source.sidecars, "config.json");
    if (!config) {
        return {};
    }
    auto joined = joinRankSlices(source.checkpoint, *config);
    const auto copies = joined ? compareCopies(*joined) : Result<ComparedCopies>(joined.error());
    if (!copies) {
        return source.request.force || !areCut ? Result<void>() : copies.error();
    }
    if (!areCut && joined->joined == 0) {
        return {};
    }
    source.joined = decisionOf(*joined, *copies);
    source.checkpoint = std::move(joined->checkpoint);
    if (const Sentence& assumption = source.joined->assumption; !assumption.empty()) {
        CheckpointData data = source.checkpoint->data();
        data.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::Unsupported, assumption)
                 .withHint("Compare what the written model answers with what the program that "
                           "wrote the files answers")});
        source.checkpoint = Checkpoint::make(std::move(data));
    }
    source.values.reset(); // their references are those of the source
    return {};
}

} // namespace

Result<JobSource> withNamesAndAdapters(JobSource source, ComputedBy code,
                                       const CancelToken& cancel) {
    const auto values = [&source] { return source.values ? &*source.values : nullptr; };
    if (source.average.empty()) {
        CAIRN_CHECK(joinSlices(source));
    }
    if (source.average.empty()) { // else its mean is the source
        CAIRN_TRY(source.converted,
                  convertNames(source.checkpoint, source.request, source.sidecars, values(), code));
    }
    if (source.converted) {
        source.checkpoint = source.converted->checkpoint;
        source.request.only.subtree.clear();
        if (source.converted->config) {
            source.sidecars.push_back(std::move(*source.converted->config));
        }
        source.values.reset(); // their references are those of the source
    }
    source.unfolded = source.checkpoint;
    if (!source.adapters.empty()) {
        if (!source.average.empty()) {
            return fail(ErrorCode::InvalidArgument,
                        "Adapters cannot be folded while checkpoints are averaged");
        }
        CAIRN_TRY(source.fold, foldAdapters(source.checkpoint, source.request, source.adapters,
                                            source.sidecars, values(), cancel));
        source.checkpoint = source.fold->checkpoint;
    }
    return source;
}

} // namespace cairn
