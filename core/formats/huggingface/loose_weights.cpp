// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/loose_weights.h"

#include <algorithm>
#include <map>
#include <vector>

namespace cairn::formats::huggingface {
namespace {

/// A wrapper is one word ("transformer."), PEFT's are two, with a head's three.
constexpr int kMaxDropped = 3;

/// The name and its endings at the first dots, of two words at least: "a.b.c" -> "a.b.c", "b.c".
template <class Take> void eachEnding(std::string_view name, Take take) {
    for (int i = 0; i <= kMaxDropped && name.find('.') != std::string_view::npos; ++i) {
        take(name);
        name.remove_prefix(name.find('.') + 1);
    }
}

} // namespace

ChosenWeights::ChosenWeights(std::span<const TensorEntry> tensors) {
    for (const TensorEntry& tensor : tensors) {
        m_names.insert(tensor.name);
        eachEnding(tensor.name,
                   [&](std::string_view ending) { m_endings.emplace(ending, &tensor); });
    }
}

/// "h.0.attn.weight" for "transformer.h.0.attn.weight", or the other way round: the base model was
/// saved once with its head and once without.
bool ChosenWeights::isUnderAnotherName(const TensorEntry& tensor) const {
    bool found = false;
    const auto [first, last] = m_endings.equal_range(tensor.name);
    for (auto known = first; known != last; ++known) {
        found = found || known->second->shape == tensor.shape;
    }
    eachEnding(tensor.name,
               [&](std::string_view ending) { found = found || m_names.contains(ending); });
    return found;
}

Comparison ChosenWeights::compare(const Checkpoint& file) const {
    const std::span<const TensorEntry> tensors = file.tensors();
    const auto rootOf = [&](std::size_t i) {
        return tensors[i].aliasOf ? tensors[i].aliasOf->position() : i;
    };
    // Tied weights are known when one of their names is.
    std::vector<bool> known(tensors.size(), false);
    std::size_t shared = 0;
    std::size_t renamed = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const bool same = m_names.contains(tensors[i].name);
        shared += same ? 1 : 0;
        if (same || isUnderAnotherName(tensors[i])) {
            renamed += same ? 0 : 1;
            known[rootOf(i)] = true;
        }
    }
    Comparison result;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        // Buffers that no version of the library saves any more are not missed.
        if (!known[rootOf(i)] && tensors[i].role != Role::Buffer && result.others++ == 0) {
            result.firstOther = tensors[i].name;
        }
    }
    if (result.others != 0) {
        result.likeness = shared + renamed == 0 ? Likeness::Others : Likeness::CopyAndMore;
    }
    return result;
}

} // namespace cairn::formats::huggingface
