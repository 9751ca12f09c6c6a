// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/job_source.h"

#include "core/base/counted.h"
#include "core/families/slices/rank_slices.h"
#include "core/formats/common/members/replica_check.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/fold/fold_source.h"

#include <utility>

namespace cairn {
namespace {

/// What several ranks have has to be equal: otherwise another program wrote the files.
Result<void> compareCopies(const JoinedRanks& joined) {
    formats::ReplicaCheck check(joined.checkpoint->data());
    for (const auto& [used, copy] : joined.copies) {
        if (check.compare(used, copy) == formats::ReplicaCheck::Verdict::Different) {
            return fail(ErrorCode::BadSlice,
                        "Ranks that should have the same heads of keys or values have different "
                        "ones")
                .inTensor(used.name)
                .expecting(sentence("copies, because there are more ranks, %1, than such heads",
                                    joined.ranks))
                .withHint("Name the folder of the same model with --like");
        }
    }
    return {};
}

/// Files of ranks that do not record how their tensors were cut are joined by the class of the
/// config. Without a config, or if `force` writes what cannot be joined, they stay as they are.
Result<void> joinSlices(JobSource& source) {
    const bool all = source.request.only.kind == Selection::Kind::All; // state is not joined
    if (all || !hasRankTensors(*source.checkpoint)) {
        return {};
    }
    const auto config = sidecarFields(source.sidecars, "config.json");
    if (!config) {
        return {};
    }
    auto joined = joinRankSlices(source.checkpoint, *config);
    if (!joined) {
        return source.request.force ? Result<void>() : std::move(joined).error();
    }
    CAIRN_CHECK(compareCopies(*joined));
    Sentence value = sentence("%1 of %2 joined", counting(joined->joined, "tensor"),
                              counting(joined->ranks, "rank"));
    if (joined->padded > 0) {
        value = sentence("%1, without the padding of the vocabulary", value);
    }
    source.joined = {DecisionId::SlicesJoined, value,
                     sentence("The files do not record how the tensors were cut; their shapes add "
                              "up to those of %1",
                              joined->model)};
    if (joined->experts > 0) {
        source.joined->why =
            sentence("%1. In vLLM's tensors of all experts (w13_weight), the rows of "
                     "the gate are first; its FlashInfer kernels exchange them",
                     source.joined->why);
    }
    source.checkpoint = std::move(joined->checkpoint);
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
