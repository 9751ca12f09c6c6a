// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

/// Numbers that trainers put into the names of checkpoints: "model.03-1.6806.keras" was saved after
/// epoch 3 (or step 3) with a metric of 1.6806. Pure.
namespace cairn {

/// A number with a fraction, rounded by printf.
struct NamedDecimal {
    double value = 0;
    int digits = 0;         ///< after the decimal point
    bool afterDash = false; ///< "-1.5" may be a negative value, or a value after a dash
    [[nodiscard]] bool isRoundingOf(double exact) const;
};

struct OwnNumbers {
    std::vector<NamedDecimal> decimals;
    /// The only integer in it; empty if there are none or several, or if a word shows that it
    /// counts steps.
    std::optional<double> count;
};
OwnNumbers ownNumbers(std::string_view name);

} // namespace cairn
