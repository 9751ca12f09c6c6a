// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/ranks/rank_files.h"

#include <optional>
#include <string>

namespace cairn::formats::ranks {

struct JoinedSet {
    Value values;           ///< the first rank's, with references to the whole tensors
    std::size_t opened = 0; ///< files that could be read
    bool whole = false;     ///< the files of all ranks are there and could be read
    std::optional<Error> firstError;
};

/// Adds the whole tensors of one kind of files to `data`, their names behind `prefix`. What cannot
/// be read or put together is a notice. Fails: Cancelled.
Result<JoinedSet> joinSet(CheckpointData& data, const OpenRequest& request, const RankSet& set,
                          std::string prefix);

} // namespace cairn::formats::ranks
