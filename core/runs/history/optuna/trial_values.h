// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/names/metric_words.h"
#include "core/model/value.h"

#include <cstdint>
#include <string>
#include <string_view>

/// What both storages of Optuna record of trials. Pure.
namespace cairn::history::optuna {

inline constexpr std::string_view kIntermediate = "intermediate_value";

/// The path of a trial below its storage. No folder is called like it, as one may be by a number
/// alone.
std::string trialId(std::int64_t id);

/// The name of a final value, as in Optuna's data frames.
std::string valueName(std::size_t objectives, std::int64_t objective);

/// A parameter as its distribution (JSON) presents it: a categorical one is stored as the index of
/// its choice, an integer as a real number.
Value parameterOf(double stored, std::string_view distribution);

} // namespace cairn::history::optuna
