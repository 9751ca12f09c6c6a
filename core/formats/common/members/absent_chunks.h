// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::formats {

/// The parts of a chunked array that no stored chunk covers. The number of boxes is at most the
/// number of gaps between stored chunks times the rank, however many chunks are absent. Pure.
class AbsentChunks {
public:
    /// REQUIRES: `chunk` has the rank of `shape`, and no extent is 0.
    AbsentChunks(Shape shape, std::span<const std::int64_t> chunk);

    /// Number of chunks of the array, stored or not.
    [[nodiscard]] std::uint64_t chunks() const { return m_chunks; }

    /// `index`: of a stored chunk, in units of chunks. Call it in C order, once per chunk.
    void skipStored(std::span<const std::int64_t> index);

    /// The remaining parts, in elements. Call it once, at the end.
    std::vector<Box> boxes();

private:
    using Index = std::vector<std::int64_t>;
    void addUpTo(const std::optional<Index>& end);
    void add(const Index& at, std::size_t d, std::int64_t begin, std::int64_t end);

    Shape m_shape;
    Index m_chunk;
    Index m_grid;
    std::uint64_t m_chunks = 1;
    std::optional<Index> m_from; ///< empty: at the end of the grid
    std::vector<Box> m_boxes;
};

/// Elements that are not stored, with the fill value that the format defines. Their pieces refer to
/// one element in memory with strides of 0; equal elements share it. Not thread-safe.
class FillValues {
public:
    explicit FillValues(CheckpointData& data) : m_data(data) {}

    /// `fill`: one element in the stored byte order; the dimensions from `rank` on belong to the
    /// element itself (an array type, or its bytes).
    Piece piece(Box box, std::span<const std::byte> fill, std::size_t rank);

private:
    CheckpointData& m_data;
    std::map<std::string, FileIndex> m_files; ///< by the element's bytes
};

} // namespace cairn::formats
