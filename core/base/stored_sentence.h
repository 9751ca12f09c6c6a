// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"

#include <string>
#include <string_view>

/// How a file keeps a sentence, so that a window in another language still shows it translated
/// after a restart: its English text, which every reader understands, and beside it the pattern
/// with its arguments.
///
/// The form is one text without line ends: tokens, separated by tabs. The first is the version,
/// "1"; then a sentence: "S" with its pattern, its arguments, and "." at its end. An argument is
/// "T" (text), "N" (number) or "A" (amount) with its text, or a sentence. In a token a backslash
/// stands before a backslash, and for a tab, a line feed and a carriage return are written \t, \n
/// and \r.
namespace cairn {

/// Empty if the sentence has no arguments: its text is its pattern.
std::string storedForm(const Sentence& sentence);

/// The sentence with that text. If `form` is none, of another version, or of another text, it is
/// the text alone. Time and memory: in proportion to both texts, whatever they contain.
Sentence restoredSentence(std::string_view text, std::string_view form);

/// Both in one field: the text, then U+001F and the form if it has one.
std::string storedTogether(const Sentence& sentence);
Sentence restoredSentence(std::string_view together);

} // namespace cairn
