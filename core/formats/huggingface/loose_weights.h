// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cairn::formats::huggingface {

/// What a file of weights is beside those that were chosen.
enum class Likeness {
    Copy, ///< nothing but tensors that exist already, perhaps all under longer or shorter names
    SameNames,   ///< no name that is not already there, but some for tensors of other shapes
    CopyAndMore, ///< some that exist already, and others
    Others,      ///< no tensor that exists already
};

struct Comparison {
    Likeness likeness = Likeness::Copy;
    std::size_t others = 0; ///< tensors that are not yet there
    std::string firstOther;
};

/// The warning of a file that is not read because of this: where it is a copy by names and shapes,
/// it is another variant.
Error unreadWeights(const std::string& file, const Comparison& found);

/// Holds files against the weights that were chosen, by names and shapes: no element is read. Keeps
/// names and shapes of its own. One thread. Adding costs O(names * log of all), comparing O(the
/// file's names * log of all, and of what is below a few prefixes).
class ChosenWeights {
public:
    ChosenWeights() = default;
    ChosenWeights(const ChosenWeights&) = delete; // its maps point into itself
    ChosenWeights& operator=(const ChosenWeights&) = delete;

    void add(std::span<const TensorEntry> tensors);
    Comparison compare(const Checkpoint& file) const;

    /// True if a name begins with this.
    bool anyBelow(std::string_view prefix) const;

private:
    struct Known {
        std::string name;
        Shape shape;
        bool buffer = false;
    };
    /// How a file calls what was chosen: with a prefix in front, or without one that exists.
    struct Renaming {
        bool longer = false; ///< the file's names are
        std::string_view prefix;
    };

    bool isThere(std::string_view name, const Shape& shape) const;
    bool isKnown(const TensorEntry& tensor, const std::optional<Renaming>& renaming) const;
    std::optional<Renaming> renamingOf(std::span<const TensorEntry> tensors) const;
    bool covers(const Renaming& renaming, std::size_t tensors) const;

    std::deque<Known> m_known; ///< in their place for good
    std::map<std::string_view, const Known*> m_names;
    std::unordered_multimap<std::string_view, const Known*> m_endings;
};

} // namespace cairn::formats::huggingface
