// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/name_prefix.h"

#include <algorithm>
#include <map>

namespace cairn {

NamePrefix bestPrefix(std::span<const std::string_view> names, PrefixOf of,
                      const std::function<bool(std::string_view)>& isKnown) {
    std::size_t longest = std::string_view::npos; // bytes that all names begin with
    if (of == PrefixOf::All && !names.empty()) {
        longest = names.front().size();
        for (const std::string_view name : names) {
            const auto end = std::ranges::mismatch(name, names.front()).in1;
            longest = std::min(longest, static_cast<std::size_t>(end - name.begin()));
        }
    }
    std::map<std::string_view, std::size_t> votes = {{"", 0}};
    for (const std::string_view name : names) {
        for (std::size_t at = 0; at != std::string_view::npos && at <= longest;) {
            if (isKnown(name.substr(at))) {
                ++votes[name.substr(0, at)];
            }
            const std::size_t dot = name.find('.', at);
            at = dot == std::string_view::npos ? dot : dot + 1;
        }
    }
    const auto best = std::ranges::max_element(votes, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second < b.second : a.first.size() > b.first.size();
    });
    return {std::string(best->first), best->second};
}

} // namespace cairn
