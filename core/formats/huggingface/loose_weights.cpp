// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/loose_weights.h"

#include "core/base/counted.h"

#include <algorithm>
#include <utility>
#include <vector>

// The base model may be saved once with its head ("transformer.h.0.attn.weight", "lm_head.weight")
// and once without ("h.0.attn.weight"). The difference is one prefix for all tensors; a single
// match like a projector's "linear.weight", which ends like many names of the model, proves
// nothing. So the prefixes that would explain a tensor are counted, and the one that explains the
// most is used if it leaves little of the model unexplained.

namespace cairn::formats::huggingface {
namespace {

/// A wrapper adds one component ("transformer."), PEFT adds two, and with a head three.
constexpr int kMaxDropped = 3;
constexpr std::size_t kMaxTried = 16; ///< prefixes that are examined in detail

/// Calls `take` with the name after each of its first dots, as long as two components remain:
/// "a.b.c" -> "b.c".
template <class Take> void eachEnding(std::string_view name, Take take) {
    for (int i = 0; i < kMaxDropped && name.find('.') != std::string_view::npos; ++i) {
        name.remove_prefix(name.find('.') + 1);
        if (name.find('.') != std::string_view::npos) {
            take(name);
        }
    }
}

/// "encoder.layer.0.": a prefix with a number is one of several layers, not a wrapper around a
/// model.
bool hasNumber(std::string_view prefix) {
    for (std::size_t at = 0; at < prefix.size();) {
        const std::size_t dot = std::min(prefix.find('.', at), prefix.size());
        const std::string_view word = prefix.substr(at, dot - at);
        if (!word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos) {
            return true;
        }
        at = dot + 1;
    }
    return false;
}

} // namespace

Error unreadWeights(const std::string& file, const Comparison& found) {
    const bool sameNames = found.likeness == Likeness::SameNames;
    Error error =
        fail(ErrorCode::StrayFile,
             found.likeness == Likeness::Copy ? Sentence("Weights that are not read and may differ "
                                                         "from those that are: another variant")
             : sameNames
                 ? Sentence("Weights that are not read: others with the same names have precedence")
                 : "Weights that are not read: some are duplicates, the others are only in "
                   "this file")
            .inFile(file)
            .withHint("Open that file separately");
    if (found.likeness != Likeness::Copy) {
        error.where.tensor = found.firstOther;
        error.found = sentence("%1%2", counting(found.others, "tensor"),
                               sameNames ? Sentence(" of a different shape") : " only in it");
    }
    return error;
}

void ChosenWeights::add(std::span<const TensorEntry> tensors) {
    for (const TensorEntry& tensor : tensors) {
        if (m_names.contains(tensor.name)) {
            continue;
        }
        m_known.push_back({tensor.name, tensor.shape, tensor.role == Role::Buffer});
        const Known* known = &m_known.back();
        m_names.emplace(known->name, known);
        eachEnding(known->name, [&](std::string_view ending) { m_endings.emplace(ending, known); });
    }
}

bool ChosenWeights::anyBelow(std::string_view prefix) const {
    const auto first = m_names.lower_bound(prefix);
    return first != m_names.end() && first->first.starts_with(prefix);
}

bool ChosenWeights::isThere(std::string_view name, const Shape& shape) const {
    const auto found = m_names.find(name);
    return found != m_names.end() && found->second->shape == shape;
}

bool ChosenWeights::isKnown(const TensorEntry& tensor,
                            const std::optional<Renaming>& renaming) const {
    if (isThere(tensor.name, tensor.shape)) {
        return true;
    }
    if (!renaming) {
        return false;
    }
    if (!renaming->longer) {
        return isThere(std::string(renaming->prefix) + tensor.name, tensor.shape);
    }
    const std::string_view name = tensor.name;
    return name.starts_with(renaming->prefix) &&
           isThere(name.substr(renaming->prefix.size()), tensor.shape);
}

/// True if `tensors` are most of the chosen ones to which the renaming applies.
bool ChosenWeights::covers(const Renaming& renaming, std::size_t tensors) const {
    if (!renaming.longer && hasNumber(renaming.prefix)) {
        return false;
    }
    const std::string_view below = renaming.longer ? std::string_view() : renaming.prefix;
    std::size_t count = 0;
    for (auto known = m_names.lower_bound(below);
         known != m_names.end() && known->first.starts_with(below); ++known) {
        count += known->second->buffer ? 0 : 1;
    }
    return 2 * tensors > count;
}

std::optional<ChosenWeights::Renaming>
ChosenWeights::renamingOf(std::span<const TensorEntry> tensors) const {
    std::map<std::pair<bool, std::string_view>, std::size_t> counts;
    std::map<std::string_view, const TensorEntry*> once; // repeated names count once
    for (const TensorEntry& tensor : tensors) {
        if (tensor.role == Role::Buffer || !once.emplace(tensor.name, &tensor).second) {
            continue;
        }
        const std::string_view name = tensor.name;
        const auto [first, last] = m_endings.equal_range(name);
        for (auto known = first; known != last; ++known) {
            if (known->second->shape == tensor.shape) {
                const std::string_view whole = known->second->name;
                ++counts[{false, whole.substr(0, whole.size() - name.size())}];
            }
        }
        eachEnding(name, [&](std::string_view ending) {
            if (isThere(ending, tensor.shape)) {
                ++counts[{true, name.substr(0, name.size() - ending.size())}];
            }
        });
    }
    using Count = std::pair<std::size_t, Renaming>;
    std::vector<Count> order;
    order.reserve(counts.size());
    for (const auto& [key, count] : counts) {
        order.push_back({count, {key.first, key.second}});
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Count& a, const Count& b) { return a.first > b.first; });
    order.resize(std::min(order.size(), kMaxTried));
    const auto found = std::find_if(order.begin(), order.end(), [&](const Count& each) {
        return covers(each.second, each.first);
    });
    return found == order.end() ? std::nullopt : std::optional(found->second);
}

Comparison ChosenWeights::compare(const Checkpoint& file) const {
    const std::span<const TensorEntry> tensors = file.tensors();
    const auto rootOf = [&](std::size_t i) {
        return tensors[i].aliasOf ? tensors[i].aliasOf->position() : i;
    };
    const auto isBuffer = [](const TensorEntry& tensor) { return tensor.role == Role::Buffer; };
    const bool buffersOnly = std::ranges::all_of(tensors, isBuffer);
    const std::optional<Renaming> renaming = renamingOf(tensors);
    std::vector<bool> known(tensors.size(),
                            false); // tied weights are known if one of their names is
    bool any = false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (isKnown(tensors[i], renaming)) {
            known[rootOf(i)] = true;
            any = true;
        }
    }
    Comparison result;
    bool namesAreThere = true; // of all tensors that are not identical
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const bool sameName = m_names.contains(tensors[i].name);
        any = any || sameName;
        // Buffers that current versions of the library do not save are not missed.
        if (known[rootOf(i)] || (isBuffer(tensors[i]) && !buffersOnly)) {
            continue;
        }
        namesAreThere = namesAreThere && sameName;
        if (result.others++ == 0) {
            result.firstOther = tensors[i].name;
        }
    }
    if (result.others != 0) {
        result.likeness = !any            ? Likeness::Others
                          : namesAreThere ? Likeness::SameNames
                                          : Likeness::CopyAndMore;
    }
    return result;
}

} // namespace cairn::formats::huggingface
