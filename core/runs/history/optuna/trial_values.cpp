// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/optuna/trial_values.h"

#include "core/codec/json/json_value.h"
#include "core/runs/history/common/json_settings.h"

#include <cmath>

namespace cairn::history::optuna {

std::string trialId(std::int64_t id) {
    return "trial_id=" + std::to_string(id);
}

std::string valueName(std::size_t objectives, std::int64_t objective) {
    return objectives > 1 ? "values_" + std::to_string(objective) : "value";
}

Value parameterOf(double stored, std::string_view distribution) {
    const auto json = parseJson(distribution, "distribution_json");
    const JsonValue* name = json ? json->find("name") : nullptr;
    const JsonValue* attributes = json ? json->find("attributes") : nullptr;
    const auto kind = name != nullptr ? name->asString() : Result<std::string_view>(Error());
    const JsonValue* choices = attributes != nullptr ? attributes->find("choices") : nullptr;
    if (kind && *kind == "CategoricalDistribution" && choices != nullptr) {
        const auto all = choices->elements();
        const bool fits = stored >= 0 && stored < static_cast<double>(all.size());
        return fits ? valueOf(all[static_cast<std::size_t>(stored)]) : Value();
    }
    constexpr double kExact = 9007199254740992; // 2^53
    const bool isInteger = kind && kind->starts_with("Int") && std::abs(stored) <= kExact &&
                           stored == std::trunc(stored);
    return isInteger ? Value(static_cast<std::int64_t>(stored)) : Value(stored);
}

} // namespace cairn::history::optuna
