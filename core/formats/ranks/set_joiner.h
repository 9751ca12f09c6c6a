// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/ranks/rank_files.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::formats::ranks {

struct JoinedSet {
    Value values;           ///< of the first rank, with references to the complete tensors
    ValueRecords records;   ///< of these values
    std::size_t opened = 0; ///< number of readable files
    bool whole = false;     ///< the files of all ranks exist and are readable
    std::optional<Error> firstError;
    std::optional<std::int64_t> updates; ///< number of updates of the first rank's optimizer
};

/// Adds the complete tensors of one kind of files to `data`, with `prefix` before their names.
/// Files that cannot be read or merged are reported, and so are files with a different step, or
/// with different counts of the optimizer or scheduler. Fails: Cancelled.
Result<JoinedSet> joinSet(CheckpointData& data, const OpenRequest& request, const RankSet& set,
                          std::string prefix);

} // namespace cairn::formats::ranks
