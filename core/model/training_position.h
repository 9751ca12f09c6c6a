// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cairn {

/// A checkpoint's position and where it is recorded.
struct RecordedTraining {
    TrainingPosition position;
    /// Dotted paths in the values; empty: the format's own index.
    std::string stepField;
    std::string epochField;
    /// The batches that the trainer's loggers count where steps are another quantity: Lightning's
    /// step counts every optimizer's, its loggers' the batches.
    std::optional<std::int64_t> batches;
};
/// trainingPosition() with its sources. Loads the values.
RecordedTraining recordedTraining(const Checkpoint& checkpoint, const CancelToken& cancel = {});

} // namespace cairn
