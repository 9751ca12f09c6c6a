// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

class TensorTable;
using TensorTablePtr = std::shared_ptr<const TensorTable>;

/// The immutable index from which lists of tensors are made: flat arrays in addition to the
/// checkpoint's entries, in natural order of the names (layers.2 before layers.10), so that
/// filtering and sorting a million tensors is a pass over few bytes. Everything else is read from
/// the entries: 16 bytes and the length of its name for each tensor. Built and used by workers,
/// read by models; keeps the checkpoint alive. No I/O.
class TensorTable {
public:
    /// O(n log n) in the bytes of the names. Fails only when cancelled.
    static Result<TensorTablePtr> make(CheckpointPtr checkpoint, const CancelToken& cancel);

    const CheckpointPtr& checkpoint() const { return m_checkpoint; }
    std::size_t size() const { return m_order.size(); }
    const TensorEntry& tensor(std::uint32_t position) const {
        return m_checkpoint->tensors()[position];
    }
    /// Call it some tensors ahead in a pass in natural order, in which the entries are scattered.
    void prefetch(std::uint32_t position) const {
        const auto* entry = reinterpret_cast<const char*>(&tensor(position));
        for (std::size_t at = 0; at < sizeof(TensorEntry); at += 64) {
            __builtin_prefetch(entry + at);
        }
    }
    std::string_view name(std::uint32_t position) const { return tensor(position).name; }

    /// Positions in Checkpoint::tensors(), in natural order of the names.
    std::span<const std::uint32_t> naturalOrder() const { return m_order; }

    /// All names in lower case, in natural order, each followed by a line feed that no name
    /// contains.
    std::string_view lowerNames() const { return m_lowerNames; }
    /// Of the name at natural rank `rank`, without the line feed.
    std::string_view lowerName(std::size_t rank) const {
        return std::string_view(m_lowerNames)
            .substr(m_starts[rank], m_starts[rank + 1] - m_starts[rank] - 1);
    }
    std::span<const std::uint64_t> lowerStarts() const { return m_starts; }

    /// Figures of the tensor at `position`.
    struct Figures {
        std::uint64_t bytes = 0;
        std::uint32_t pieces = 0;
        std::uint32_t files = 0;        ///< distinct files
        std::uint32_t missingFiles = 0; ///< of them, not there
        bool incomplete = false;        ///< elements in no readable piece, only by counting
    };
    Figures figures(std::uint32_t position) const; ///< linear in its pieces

private:
    TensorTable() = default;

    CheckpointPtr m_checkpoint;
    std::vector<std::uint32_t> m_order;
    std::string m_lowerNames;
    std::vector<std::uint64_t> m_starts; ///< size() + 1
};

/// A key whose byte order is the natural order of dotted names: numbers are compared by value, and
/// a name precedes its extensions.
std::string naturalKey(std::string_view name);

} // namespace cairn::ui
