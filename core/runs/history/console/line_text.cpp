// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/console/line_text.h"

#include "core/base/ascii.h"

#include <algorithm>

namespace cairn::history::console {

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

std::string_view skipBlanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == kNpos ? std::string_view() : text.substr(first);
}

std::optional<LeadingNumber> numberAt(std::string_view text) {
    const auto number = leadingNumber(text);
    if (!number || number->length == 0) {
        return std::nullopt;
    }
    const bool word = std::none_of(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(number->length), isDigit);
    const std::string_view after = text.substr(number->length);
    const bool continuesWord = !after.empty() && ((after.front() >= 'a' && after.front() <= 'z') ||
                                                  (after.front() >= 'A' && after.front() <= 'Z'));
    return word && continuesWord ? std::nullopt : number;
}

std::size_t findWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != kNpos; at = text.find(word, at + 1)) {
        if (at == 0 || isBlank(text[at - 1]) || text[at - 1] == ']' || text[at - 1] == '|') {
            return at;
        }
    }
    return kNpos;
}

} // namespace cairn::history::console
