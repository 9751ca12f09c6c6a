// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/found_weights.h"

#include "core/jobs/bundle/sidecars.h"

#include <optional>

namespace cairn {

Result<WeightValues> findWeightValues(const CheckpointPtr& checkpoint, const CancelToken& cancel) {
    CAIRN_TRY(WeightValues values, WeightValues::of(checkpoint, nullptr, cancel));
    if (values.tensors().empty()) {
        return values;
    }
    const std::optional<FoundConfig> config = findModelConfig(*checkpoint);
    return config ? WeightValues::of(checkpoint, &config->fields, cancel)
                  : Result<WeightValues>(std::move(values));
}

} // namespace cairn
