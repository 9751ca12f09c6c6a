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

/// How a file of weights relates to the chosen weights.
enum class Likeness {
    Copy,        ///< only tensors of the chosen weights, possibly all with longer or shorter names
    SameNames,   ///< only existing names, but some tensors have different shapes
    CopyAndMore, ///< some tensors of the chosen weights, and others
    Others,      ///< no tensor of the chosen weights
};

struct Comparison {
    Likeness likeness = Likeness::Copy;
    std::size_t others = 0; ///< number of additional tensors
    std::string firstOther;
};

/// The warning for a file that is not read because of this; a copy by names and shapes may be
/// another variant.
Error unreadWeights(const std::string& file, const Comparison& found);

/// Compares files with the chosen weights, by names and shapes: no element is read. Copies the
/// names and shapes. Not thread-safe. Adding costs O(names * log of all), comparing O(the file's
/// names * log of all, and of the names below a few prefixes).
class ChosenWeights {
public:
    ChosenWeights() = default;
    ChosenWeights(const ChosenWeights&) = delete; // its maps point into itself
    ChosenWeights& operator=(const ChosenWeights&) = delete;

    void add(std::span<const TensorEntry> tensors);
    Comparison compare(const Checkpoint& file) const;

    /// True if a name begins with `prefix`.
    bool anyBelow(std::string_view prefix) const;

private:
    struct Known {
        std::string name;
        Shape shape;
        bool buffer = false;
    };
    /// How a file's names differ from the chosen ones: with an additional prefix, or without an
    /// existing one.
    struct Renaming {
        bool longer = false; ///< the file's names have the additional prefix
        std::string_view prefix;
    };

    bool isThere(std::string_view name, const Shape& shape) const;
    bool isKnown(const TensorEntry& tensor, const std::optional<Renaming>& renaming) const;
    std::optional<Renaming> renamingOf(std::span<const TensorEntry> tensors) const;
    bool covers(const Renaming& renaming, std::size_t tensors) const;

    std::deque<Known> m_known; ///< stable addresses
    std::map<std::string_view, const Known*> m_names;
    std::unordered_multimap<std::string_view, const Known*> m_endings;
};

} // namespace cairn::formats::huggingface
