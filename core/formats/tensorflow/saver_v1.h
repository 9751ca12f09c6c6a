// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

namespace cairn::formats::tensorflow {

/// Checkpoints of Saver(write_version=V1), TensorFlow's only ones before 0.12: tables without a
/// separate index, whose values are the variables themselves as TensorProto; one file, or one a
/// device ("model.ckpt-5-00000-of-00002"), of which naming one opens all. Opening walks the tables,
/// for nothing else states where the variables are. Fails: what sstable::walk states;
/// NotACheckpoint when it is some other program's table.
Result<CheckpointData> readSaverV1(const OpenRequest& request);

} // namespace cairn::formats::tensorflow
