// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace cairn::history {

/// Text without blanks around it.
std::string_view trimmedText(std::string_view text);

/// A whole text as a number, as Python's float() reads it: signs, exponents, "nan", "inf",
/// "infinity" in any case; blanks around it do not count. "tensor(0.5)" and "tensor(0.5,
/// device='cuda:0')" are the number inside.
std::optional<double> numberOfText(std::string_view text);

/// The number that a text begins with, as people print it: "1,234" (thousands), "1.25GiB", "3.4%".
struct LeadingNumber {
    double value = 0;
    std::size_t length = 0; ///< of the number's text
};
std::optional<LeadingNumber> leadingNumber(std::string_view text);

} // namespace cairn::history
