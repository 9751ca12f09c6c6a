// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

/// Lists of words separated by spaces, the form of lists in the rows of this room.
namespace cairn {

inline std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) {
            words.push_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return words;
}

inline bool isWordOf(std::string_view words, std::string_view word) {
    const std::vector<std::string_view> all = wordsOf(words);
    return std::ranges::find(all, word) != all.end();
}

/// Whether a row of these families counts for one; rows of none are for all.
inline bool isFor(std::string_view families, std::string_view family) {
    return families.empty() || isWordOf(families, family);
}

} // namespace cairn
