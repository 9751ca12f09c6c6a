// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/training/trainer_source.h"
#include "core/plan/trainers.h"

#include <string_view>

namespace cairn {

/// For trainers that restore objects (Trainer::keepsObjects: TensorFlow, Keras).
/// - A checkpoint of their own format is written as it is, with the object graph and the slots.
///   Moments are counted by the names that it records, in Keras' files by shapes.
/// - TensorFlow's for Keras, and Keras' for TensorFlow: sourceLike() (keras_source.h), by
///   request.like.
/// - Others for TensorFlow: all tensors under their own names, without an object graph. Loading
///   them into objects is left to the program, which is a loss; so are plain values.
/// Left out and named: tensors without elements that can be written, such as the state of a
/// dataset's iterator. Reads the values. Fails: Unsupported (nothing relates the names to the
/// trainer's, no optimizer, a file of Keras 2), the errors of sourceLike() and of the values.
Result<TrainerSource> sourceWithObjects(const CheckpointPtr& source, const Trainer& trainer,
                                        const JobRequest& request, const CancelToken& cancel);

/// What is lost with a variable that has no place in the output.
TrainingLoss lossOfVariable(const TensorEntry& tensor);

/// Whether it is of a metric or the number of saves, which begin again: no part of the training.
bool startsAgain(std::string_view key);

/// Counts the parameters of a checkpoint of TensorFlow and those with moments, by the names that
/// its object graph records.
void countMoments(const Checkpoint& tensorflow, const Value& values, PlannedTraining& training);

} // namespace cairn
