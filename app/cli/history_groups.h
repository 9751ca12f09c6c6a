// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "app/cli/verb.h"

#include <cstdint>
#include <string_view>
#include <vector>

/// `history` of several runs: the curves of groups of runs, aggregated.
namespace cairn::cli {

/// True if there are several runs, or an option about groups.
bool wantsGroups(const Arguments& arguments);

Result<int> printGroupedHistories(const Arguments& arguments, Session& session);

enum class Numbers : std::uint8_t {
    Reals,
    Steps, ///< integers are written without a fraction
};

void writeNumbers(JsonWriter& json, std::string_view name, const std::vector<double>& numbers,
                  Numbers kind = Numbers::Reals);

} // namespace cairn::cli
