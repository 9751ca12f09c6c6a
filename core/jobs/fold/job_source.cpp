// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/job_source.h"

#include "core/jobs/fold/fold_source.h"

#include <utility>

namespace cairn {

Result<JobSource> withNamesAndAdapters(JobSource source, ComputedBy code,
                                       const CancelToken& cancel) {
    const auto values = [&source] { return source.values ? &*source.values : nullptr; };
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
