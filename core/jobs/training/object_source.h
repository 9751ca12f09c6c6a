// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/training/trainer_source.h"
#include "core/plan/trainers.h"

namespace cairn {

/// For trainers that restore objects (Trainer::keepsObjects): the source itself, whose object graph
/// and slots are written with all its tensors. Moments are counted by the names that the graph
/// records. Left out and named: tensors without elements that can be written, such as the state of
/// a dataset's iterator. Reads the values. Fails: Unsupported (a checkpoint of another framework,
/// no optimizer), the errors of the values.
Result<TrainerSource> sourceWithObjects(const CheckpointPtr& source, const Trainer& trainer,
                                        const JobRequest& request, const CancelToken& cancel);

} // namespace cairn
