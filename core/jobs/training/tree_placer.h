// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn {

/// Makes a checkpoint whose tensors are those that a tree refers to, named by their places in it.
/// Pure; not thread-safe.
class TreePlacer {
public:
    struct Options {
        bool filesApart = false;       ///< each key of the tree is a file that has all its tensors
        bool stepsApart = true;        ///< each `step` is a tensor of its own
        std::string_view bareKey = {}; ///< at the root: not part of the names of tensors below it
    };
    /// The source must outlive the placer.
    TreePlacer(const Checkpoint& source, Options options) : m_source(source), m_options(options) {}

    /// Once. Fails: LimitExceeded (values that share too many references).
    Result<CheckpointPtr> place(const Value& tree);

    /// The tree, which refers to tensors of the new checkpoint.
    [[nodiscard]] const Value& values() const { return m_values; }

    /// Also under another name.
    [[nodiscard]] bool isPlaced(TensorIndex tensor) const {
        return m_isPlaced.contains(storedAs(tensor));
    }

private:
    Value copy(const Value& value, const std::string& path, int depth);
    TensorIndex placeStep(TensorIndex tensor, const std::string& path);
    TensorIndex placeTensor(TensorIndex tensor, const std::string& path);
    [[nodiscard]] TensorIndex storedAs(TensorIndex tensor) const;
    bool hasTensors(const Value& value);
    void tieAgain(std::vector<TensorEntry>& tensors) const;

    const Checkpoint& m_source;
    Value m_values;
    std::vector<TensorEntry> m_tensors;
    std::vector<TensorIndex> m_from; ///< in the source, by position in m_tensors
    Options m_options;
    std::map<std::pair<std::string, TensorIndex>, TensorIndex> m_placed;
    std::set<TensorIndex> m_isPlaced;
    std::set<TensorIndex> m_stepPlaced;
    std::set<std::size_t> m_apart; ///< positions in m_tensors that share no bytes
    std::unordered_map<const void*, bool> m_holding;
    std::size_t m_copied = 0;
};

} // namespace cairn
