// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/formats/dcp/metadata_view.h"
#include "core/model/dims.h"

#include <cstdint>
#include <vector>

/// `storage_data`: where each chunk of each tensor is stored. Private to this folder.
namespace cairn::formats::dcp {

inline constexpr std::uint32_t kNoRow = 0xFFFF'FFFF;

/// One pair of storage_data; those of one name form a list, the latest first (as in Python, the
/// last one counts).
struct StorageRow {
    pickle::NodeId offset; ///< MetadataIndex.offset
    pickle::NodeId info;   ///< _StorageInfo
    std::uint32_t next = kNoRow;
};

/// The rows of one tensor after another, found by their offset: the join key of MetadataIndex is
/// (fqn, offset), its `index` is only a hint. Choosing a tensor costs O(n log n), a look-up O(log
/// n).
class RowsByOffset {
public:
    /// REQUIRES: both outlive this.
    RowsByOffset(const MetadataView& view, const std::vector<StorageRow>& rows)
        : m_view(view), m_all(rows) {}

    /// The tensor whose list begins with that row.
    void choose(std::uint32_t first);

    /// The _StorageInfo at that offset, or Absent.
    [[nodiscard]] pickle::NodeId find(const Dims& offset) const;
    /// The one without an offset, as bytes items have it, or Absent.
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

/// Lexicographic.
bool lessDims(const Dims& a, const Dims& b);

} // namespace cairn::formats::dcp
