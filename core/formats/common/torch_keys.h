// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/model/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

/// The keys of a pickled dict that are not plain values, and what stands for them.
namespace cairn::formats {

/// The keys that one dict has: what is put in the place of an object must be none of them, or the
/// dict that is written from it would lose an entry. Views live as long as the graph.
class TorchKeys {
public:
    /// Nothing: all keys of this dict stand for themselves.
    static std::optional<TorchKeys> ofDict(const pickle::PickleGraph& graph,
                                           pickle::PairView pairs);

    /// `key`, a text or a number; with @2, @3 … after it where the dict has it already.
    Value madeDistinct(Value key);

private:
    std::unordered_set<std::string_view> m_texts;
    std::unordered_set<std::int64_t> m_numbers;
    std::unordered_set<std::string> m_made;
    std::unordered_map<std::string, std::size_t> m_uses; ///< of a text, the last number after it
};

/// Whether the key is one that a Value can be as it is: text, bytes, numbers, None, and tuples of
/// these; small ones only. Classes and devices are text, NumPy's numbers numbers.
bool isPlainKey(const pickle::PickleGraph& graph, pickle::NodeId key);

/// "Colour.1" for a member of an enumeration, which is pickled as its class called with its value;
/// of another class that is called with one number or text the same. Nothing: none of these.
std::optional<std::string> memberText(const pickle::PickleGraph& graph, pickle::NodeId key);

} // namespace cairn::formats
