// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

/// What is in front of the names of a model: the attribute of the class that trains it ("net.").
namespace cairn {

struct NamePrefix {
    std::string text;
    std::size_t known = 0; ///< names that are known without it
};

enum class PrefixOf : std::uint8_t { All, Some };

/// The beginning, of complete parts, without which most names are known; the shortest of several.
/// PrefixOf::All: it is one of all names. `isKnown` gets names without it. Linear in names.
NamePrefix bestPrefix(std::span<const std::string_view> names, PrefixOf of,
                      const std::function<bool(std::string_view)>& isKnown);

} // namespace cairn
