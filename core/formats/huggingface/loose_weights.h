// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace cairn::formats::huggingface {

/// What a file of weights is beside those that were chosen.
enum class Likeness {
    Copy, ///< nothing but tensors that are there already, perhaps under longer or shorter names
    CopyAndMore, ///< some of them, and others
    Others,      ///< no tensor that is there already
};

struct Comparison {
    Likeness likeness = Likeness::Copy;
    std::size_t others = 0; ///< tensors that are not there yet
    std::string firstOther;
};

/// Holds files against the weights that were chosen, by names and shapes: no element is read. The
/// tensors must outlive it. One thread. Built once in O(names * their depth).
class ChosenWeights {
public:
    explicit ChosenWeights(std::span<const TensorEntry> tensors);
    Comparison compare(const Checkpoint& file) const;

private:
    bool isUnderAnotherName(const TensorEntry& tensor) const;

    std::set<std::string_view> m_names;
    std::multimap<std::string_view, const TensorEntry*> m_endings;
};

} // namespace cairn::formats::huggingface
