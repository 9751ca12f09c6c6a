// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "app/cli/verb.h"
#include "core/base/number.h"

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

/// `rests`: of Number; empty: none.
void writeNumbers(JsonWriter& json, std::string_view name, const std::vector<double>& numbers,
                  Numbers kind = Numbers::Reals, const std::vector<std::int16_t>& rests = {});
/// The same for one number.
void writeExact(JsonWriter& json, const Number& number, Numbers kind = Numbers::Reals);

} // namespace cairn::cli
