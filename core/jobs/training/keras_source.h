// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/training/trainer_source.h"
#include "core/plan/trainers.h"

namespace cairn {

/// A state of Keras 3 between TensorFlow's checkpoints and Keras' files, by a checkpoint of the
/// other kind that the same program saved (request.like; its elements are not read): the places of
/// the output for `keras`, the keys and the object graph for `tensorflow`. See keras_pairs.h.
/// - Metrics and the number of saves are left out, as Keras' files have neither, and both start
///   again: a decision. Random generators, iterators and other variables of the program are lost.
/// - Layers whose order is undecided: a problem, with --force a warning.
/// Fails: Unsupported (a checkpoint of another format, no object graph), StateWithoutParameter
/// (weights or moments that one of the two does not have), the errors of pairKerasVariables() and
/// of openCheckpoint().
Result<TrainerSource> sourceLike(const CheckpointPtr& source, const Trainer& trainer,
                                 const JobRequest& request, const CancelToken& cancel);

} // namespace cairn
