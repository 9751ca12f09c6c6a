// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/formats/dcp/metadata_view.h"
#include "core/model/dims.h"

#include <cstdint>
#include <vector>

/// `storage_data`: the locations of the chunks of each tensor. Private to this folder.
namespace cairn::formats::dcp {

inline constexpr std::uint32_t kNoRow = 0xFFFF'FFFF;

/// One pair of storage_data; those with the same name form a list, latest first (the last one is
/// valid, as in Python).
struct StorageRow {
    pickle::NodeId offset; ///< MetadataIndex.offset
    pickle::NodeId info;   ///< _StorageInfo
    std::uint32_t next = kNoRow;
};

/// Rows of one tensor at a time, found by their offset: the key of MetadataIndex is (fqn, offset);
/// its `index` is only a hint. Selecting a tensor costs O(n log n), a lookup O(log n).
class RowsByOffset {
public:
    /// REQUIRES: both outlive this.
    RowsByOffset(const MetadataView& view, const std::vector<StorageRow>& rows)
        : m_view(view), m_all(rows) {}

    /// Selects the tensor whose list begins with that row.
    void choose(std::uint32_t first);

    /// The _StorageInfo for that offset, or Absent.
    [[nodiscard]] pickle::NodeId find(const Dims& offset) const;
    /// The row without an offset, as bytes items have, or Absent.
    [[nodiscard]] pickle::NodeId withoutOffset() const { return m_withoutOffset; }

private:
    struct Entry {
        Dims offset;
        pickle::NodeId info;
    };
    const MetadataView& m_view;
    const std::vector<StorageRow>& m_all;
    std::vector<Entry> m_rows;
    pickle::NodeId m_withoutOffset;
};

/// Lexicographic order.
bool lessDims(const Dims& a, const Dims& b);

} // namespace cairn::formats::dcp
