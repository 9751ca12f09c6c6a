// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number_text.h"

#include <cstddef>
#include <optional>
#include <string_view>

/// Words and numbers of a printed line. Private to this folder; pure.
namespace cairn::history::console {

inline constexpr auto kNpos = std::string_view::npos;
inline constexpr std::size_t kMaxNumbers = 1000; ///< limit for one line

bool isBlank(char c);
std::string_view skipBlanks(std::string_view text);
/// A printed number; "nan" and "inf" must not be the start of a word.
std::optional<LeadingNumber> numberAt(std::string_view text);
/// Finds a complete word, not part of another one.
std::size_t findWord(std::string_view text, std::string_view word);

} // namespace cairn::history::console
