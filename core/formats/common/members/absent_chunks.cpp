// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/absent_chunks.h"

#include "core/base/checked.h"
#include "core/base/endian.h"

#include <algorithm>
#include <utility>

namespace cairn::formats {

AbsentChunks::AbsentChunks(Shape shape, std::span<const std::int64_t> chunk)
    : m_shape(std::move(shape)), m_chunk(chunk.begin(), chunk.end()) {
    for (std::size_t d = 0; d < m_shape.size(); ++d) {
        m_grid.push_back(m_shape[d] / m_chunk[d] + (m_shape[d] % m_chunk[d] != 0 ? 1 : 0));
        m_chunks = checkedMul(m_chunks, static_cast<std::uint64_t>(m_grid.back()))
                       .value_or(~std::uint64_t{0});
    }
    if (m_chunks > 0) {
        m_from = Index(m_grid.size(), 0);
    }
}

void AbsentChunks::skipStored(std::span<const std::int64_t> index) {
    Index here(index.begin(), index.end());
    addUpTo(here);
    m_from.reset();
    for (std::size_t d = m_grid.size(); d-- > 0;) { // the next index in C order
        if (++here[d] < m_grid[d]) {
            m_from = std::move(here);
            return;
        }
        here[d] = 0;
    }
}

std::vector<Box> AbsentChunks::boxes() {
    addUpTo(std::nullopt);
    return std::move(m_boxes);
}

/// Adds the gap from m_from to `end`: first the rest of its innermost row, of its plane, …, then
/// the parts of the planes and rows before `end`.
void AbsentChunks::addUpTo(const std::optional<Index>& end) {
    if (!m_from) {
        return;
    }
    const std::size_t rank = m_grid.size();
    std::size_t shared = 0;
    while (end && shared < rank && (*m_from)[shared] == (*end)[shared]) {
        ++shared;
    }
    if (end && shared == rank) {
        return;
    }
    if (rank == 0) {
        m_boxes.push_back(Box{});
        return;
    }
    Index at = *m_from;
    for (std::size_t d = rank; d-- > shared + 1;) {
        const bool atStart = std::all_of(at.begin() + static_cast<std::ptrdiff_t>(d), at.end(),
                                         [](std::int64_t value) { return value == 0; });
        if (atStart) {
            continue; // starts at 0, so it is part of the next outer dimension
        }
        add(at, d, at[d], m_grid[d]);
        std::fill(at.begin() + static_cast<std::ptrdiff_t>(d), at.end(), 0);
        ++at[d - 1];
    }
    if (!end) {
        add(at, 0, at[0], m_grid[0]);
        return;
    }
    for (std::size_t d = shared; d < rank; ++d) {
        add(at, d, at[d], (*end)[d]);
        at[d] = (*end)[d];
        std::fill(at.begin() + static_cast<std::ptrdiff_t>(d) + 1, at.end(), 0);
    }
}

/// Chunks [begin, end) of dimension d: all indices of the inner dimensions, the fixed index `at` of
/// the outer ones.
void AbsentChunks::add(const Index& at, std::size_t d, std::int64_t begin, std::int64_t end) {
    if (begin >= end) {
        return;
    }
    Box box = Box::whole(m_shape);
    for (std::size_t i = 0; i <= d; ++i) {
        const std::int64_t last = i == d ? end : at[i] + 1;
        box.origin[i] = (i == d ? begin : at[i]) * m_chunk[i];
        box.extent[i] = (last == m_grid[i] ? m_shape[i] : last * m_chunk[i]) - box.origin[i];
    }
    m_boxes.push_back(std::move(box));
}

Piece FillValues::piece(Box box, std::span<const std::byte> fill, std::size_t rank) {
    const auto [known, isNew] = m_files.try_emplace(std::string(asText(fill)));
    if (isNew) {
        CheckpointFile file;
        file.path = "(fill value)";
        file.source = makeMemorySource({fill.begin(), fill.end()}, file.path);
        file.identity.size = fill.size();
        known->second = m_data.addFile(std::move(file));
    }
    Piece piece;
    piece.strides = Dims(box.extent.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t d = box.extent.size(); d-- > rank;) {
        piece.strides[d] = stride;
        stride *= box.extent[d];
    }
    piece.box = std::move(box);
    piece.file = known->second;
    piece.bytes = {0, fill.size()};
    return piece;
}

} // namespace cairn::formats
