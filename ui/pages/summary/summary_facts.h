// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "core/runs/rank/headline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::ui {

/// A file that contains tensor bytes, or should.
struct ShardShare {
    std::string file;
    std::uint64_t bytes = 0;
    std::uint64_t tensors = 0; ///< with at least one piece in it
    bool missing = false;
    double against = 0; ///< shardEvenness()
};

struct RoleShare {
    Role role{};
    std::uint64_t bytes = 0;
    std::uint64_t tensors = 0;
    Dtype dtype{}; ///< of most of its bytes
    bool oneDtype = true;
};

/// The content of the summary, gathered by summarize() on a worker. A plain value.
struct SummaryFacts {
    Totals totals;
    std::optional<std::uint64_t> parameters; ///< of the model: parameterCount()
    TrainingPosition position;
    std::vector<Evidence> positionBecause;
    std::vector<HeadlineNumber> headline; ///< the most important first
    std::vector<ShardShare> shards;
    std::uint64_t incompleteTensors = 0; ///< with a piece in a missing file
    std::vector<RoleShare> roles;        ///< weights first, each role in its own colour
    std::vector<std::pair<std::string, std::string>> values; ///< highlights: key and text
    std::optional<Error> valuesError;                        ///< the values could not be read
    Decided<bool> valuesSaved;  ///< whether the values are what was saved: decideSaved()
    std::int64_t writtenNs = 0; ///< newest modification, since 1970
};

/// Linear in pieces; reads the checkpoint's values. Fails only with Cancelled.
Result<SummaryFacts> summarize(const CheckpointPtr& checkpoint, const CancelToken& cancel);

} // namespace cairn::ui
