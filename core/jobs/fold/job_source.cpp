// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/job_source.h"

#include "core/jobs/fold/fold_source.h"

#include <utility>

namespace cairn {

Result<JobSource> withNamesAndAdapters(JobSource source, ComputedBy code,
                                       const CancelToken& cancel) {
    const auto values = [&source] { return source.values ? &*source.values : nullptr; };
    if (source.options.average.empty()) { // else its mean is the source
        CAIRN_TRY(source.converted,
                  convertNames(source.checkpoint, source.options, source.sidecars, values(), code));
    }
    if (source.converted) {
        source.checkpoint = source.converted->checkpoint;
        source.options.only.subtree.clear();
        if (source.converted->config) {
            source.sidecars.push_back(std::move(*source.converted->config));
        }
        source.values.reset(); // their references are those of the source
    }
    source.unfolded = source.checkpoint;
    if (!source.options.adapters.empty()) {
        CAIRN_TRY(source.fold, foldAdapters(source.checkpoint, source.options, source.sidecars,
                                            values(), cancel));
        source.checkpoint = source.fold->checkpoint;
    }
    return source;
}

} // namespace cairn
