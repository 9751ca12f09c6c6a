// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/location.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <filesystem>

/// Opens the checkpoint that a user's location refers to, for every verb and page. Any thread;
/// blocks.
namespace cairn {

struct NamedCheckpoint {
    CheckpointPtr checkpoint;
    std::filesystem::path path;       ///< of it: may be given to openCheckpoint()
    std::filesystem::path chosenFrom; ///< the given folder, if one of several was chosen
    std::size_t candidates = 0;       ///< checkpoints in that folder
};

/// openCheckpoint() of a location that is one. The folder of a run opens the checkpoint that is the
/// run's latest (ranking.h), complete ones before others, and adds a notice (StrayFile).
/// A folder that is a checkpoint and contains others is opened itself; a notice names the
/// others. Fails as openCheckpoint(); InvalidArgument, with the names, where the folder holds
/// several runs; MissingShard or what is wrong with the newest, with the names, where none of a
/// run's checkpoints is complete.
Result<NamedCheckpoint> openNamed(const Location& named, const CancelToken& cancel = {});

} // namespace cairn
