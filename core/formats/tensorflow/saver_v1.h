// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::tensorflow {

/// Checkpoints of Saver(write_version=V1), the only format before TensorFlow 0.12: tables without a
/// separate index, whose values are the variables themselves as TensorProto; one file, or one per
/// device ("model.ckpt-5-00000-of-00002"), any of which opens all. Opening walks the tables,
/// because nothing else records the locations of variables. Fails: the errors of sstable::walk;
/// NotACheckpoint for a table of another program.
Result<CheckpointData> readSaverV1(const OpenRequest& request);

} // namespace cairn::formats::tensorflow
