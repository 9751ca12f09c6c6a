// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace cairn {

/// Text without surrounding whitespace.
std::string_view trimmedText(std::string_view text);

/// A complete text as a number, as Python's float() parses it: signs, exponents, "nan", "inf",
/// "infinity" in any case; surrounding whitespace is ignored. "tensor(0.5)" and "tensor(0.5,
/// device='cuda:0')" give the number inside.
std::optional<double> numberOfText(std::string_view text);

/// The number at the start of a text, in formats used for printing: "1,234" (thousands), "1.25GiB",
/// "3.4%".
struct LeadingNumber {
    Number value;
    std::size_t length = 0; ///< of the number in the text
};
std::optional<LeadingNumber> leadingNumber(std::string_view text);

} // namespace cairn
