// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/formats/common/torch/torch_notes.h"
#include "core/model/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

/// Keys of pickled dicts that are not plain values, and their replacements.
namespace cairn::formats {

/// The keys of one dict: a replacement must differ from all of them, or a dict written from it
/// would lose an entry. Views are valid as long as the graph.
class TorchKeys {
public:
    /// Empty: no key of this dict needs a replacement.
    static std::optional<TorchKeys> ofDict(const pickle::PickleGraph& graph,
                                           pickle::PairView pairs);

    /// `key`, a text or a number, with @2, @3 … appended if the dict already has it.
    Value madeDistinct(Value key);

private:
    std::unordered_set<std::string_view> m_texts;
    std::unordered_set<std::int64_t> m_numbers;
    std::unordered_set<std::string> m_made;
    std::unordered_map<std::string, std::size_t>
        m_uses; ///< for a text, the last number that was appended
};

/// Replaces keys that are objects: by a text that identifies a member of an enumeration, or by a
/// number: that of the parameter whose optimizer state this is, as in the optimizer's state_dict(),
/// else the position of the entry. Tensors used as keys are not tensors of the checkpoint. The
/// arguments must outlive it.
class TorchObjectKeys {
public:
    TorchObjectKeys(const pickle::PickleGraph& graph, TorchNotes& notes);
    /// The groups of the current optimizer, whose parameters may be keys from here on.
    void enterOptimizer(pickle::NodeId groups) { m_groups = groups; }
    Value replacement(pickle::NodeId key, std::size_t position);

private:
    std::optional<std::size_t> numberOf(pickle::NodeId parameter);

    const pickle::PickleGraph& m_graph;
    TorchNotes& m_notes;
    pickle::NodeId m_groups; ///< of the most recent optimizer
    std::unordered_map<std::uint32_t, std::size_t> m_parameterNumbers;
    std::optional<std::uint32_t> m_numberedGroups; ///< to which m_parameterNumbers belong
    std::uint64_t m_numberingLeft;                 ///< remaining steps; groups may share items
};

/// Keys that are always kept.
bool isPrimitiveKey(pickle::NodeKind kind);

/// Whether a Value can represent the key directly: text, bytes, numbers, None, and tuples of these;
/// only small ones. Classes and devices become text, NumPy's numbers numbers.
bool isPlainKey(const pickle::PickleGraph& graph, pickle::NodeId key);

/// "Colour.1" for a member of an enumeration, which is pickled as a call of its class with its
/// value; the same for any class called with one number or text. Empty: neither.
std::optional<std::string> memberText(const pickle::PickleGraph& graph, pickle::NodeId key);

} // namespace cairn::formats
