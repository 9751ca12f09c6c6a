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

/// The parts of a chunked array that no stored chunk covers, as few boxes as there are gaps between
/// stored chunks (times the rank), however many chunks are absent. Pure.
class AbsentChunks {
public:
    /// REQUIRES: as many extents in `chunk` as in `shape`, none of them 0.
    AbsentChunks(Shape shape, std::span<const std::int64_t> chunk);

    /// How many chunks the array has, stored or not.
    [[nodiscard]] std::uint64_t chunks() const { return m_chunks; }

    /// `index`: of a stored chunk, in chunks. In C order, each once.
    void skipStored(std::span<const std::int64_t> index);

    /// What is left, in elements. Call it once, last.
    std::vector<Box> boxes();

private:
    using Index = std::vector<std::int64_t>;
    void addUpTo(const std::optional<Index>& end);
    void add(const Index& at, std::size_t d, std::int64_t begin, std::int64_t end);

    Shape m_shape;
    Index m_chunk;
    Index m_grid;
    std::uint64_t m_chunks = 1;
    std::optional<Index> m_from; ///< nothing: the end of the grid is reached
    std::vector<Box> m_boxes;
};

/// Elements that are in no file: what the format states about a place that was never written. The
/// pieces view one element in memory with strides of 0; equal elements share it. One thread.
class FillValues {
public:
    explicit FillValues(CheckpointData& data) : m_data(data) {}

    /// `fill`: one element in the stored byte order; elements of an element (of an array type, or
    /// its bytes) are the dimensions from `rank` on.
    Piece piece(Box box, std::span<const std::byte> fill, std::size_t rank);

private:
    CheckpointData& m_data;
    std::map<std::string, FileIndex> m_files; ///< by the element's bytes
};

} // namespace cairn::formats
