// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/ranks/rank_files.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::formats::ranks {

struct JoinedSet {
    Value values;           ///< the first rank's, with references to the complete tensors
    std::size_t opened = 0; ///< files that could be read
    bool whole = false;     ///< the files of all ranks are there and could be read
    std::optional<Error> firstError;
    std::optional<std::int64_t> updates; ///< that the first rank's optimizer has done
};

/// Adds the complete tensors of one kind of files to `data`, their names after `prefix`. What
/// cannot be read or merged is a notice; so are files that recorded another step than the others,
/// or whose optimizer or scheduler counted others. Fails: Cancelled.
Result<JoinedSet> joinSet(CheckpointData& data, const OpenRequest& request, const RankSet& set,
                          std::string prefix);

} // namespace cairn::formats::ranks
