// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/location.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <filesystem>
#include <string_view>

/// Opens the checkpoint that a user's location refers to, for every verb and page. Any thread;
/// blocks.
namespace cairn {

struct NamedCheckpoint {
    CheckpointPtr checkpoint;
    std::filesystem::path path;       ///< path of the checkpoint, for openCheckpoint()
    std::filesystem::path chosenFrom; ///< the given folder, if one of several was chosen
    std::size_t candidates = 0;       ///< checkpoints in that folder
    bool newestIsDamaged = false;     ///< a later one than the opened one; there is a warning, too
};

/// openCheckpoint() for a location that is a checkpoint. For the folder of a run it opens the run's
/// latest checkpoint (ranking.h), preferring complete ones, and adds a notice (StrayFile). A folder
/// that is a checkpoint and contains others is opened itself; a notice lists the others. Fails as
/// openCheckpoint(); with InvalidArgument and the names if the folder contains several runs; with
/// MissingShard or the error of the newest checkpoint, and the names, if none of a run's
/// checkpoints is complete.
Result<NamedCheckpoint> openNamed(const Location& named, const CancelToken& cancel = {});

/// Fails with TensorNotFound if a checkpoint has neither a tensor nor a value with this dotted
/// name, nor any below it ("model.layers.0"); the empty name is the whole. May read the values.
Result<void> checkPart(const Checkpoint& checkpoint, std::string_view part,
                       const CancelToken& cancel = {});

} // namespace cairn
