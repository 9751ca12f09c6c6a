// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <array>
#include <span>
#include <vector>

namespace cairn {

/// Reads the logical elements of one tensor, wherever they are stored: the only code that converts
/// pieces to elements. Output is always dense C order, little-endian, with neg and conj flags
/// applied. Immutable after open; read members may be called from any thread, each with its own
/// scratch. Keeps the files open.
class TensorReader {
public:
    /// Cached rows of a piece, for reading columns.
    struct Rows {
        ByteSourcePtr source;
        ByteRange range;
        Dtype dtype{}; ///< dtype and flags with which they were converted
        ElementFlags flags;
        std::vector<std::byte> bytes;
    };
    /// Reusable working memory; grows to at most kMaxSpan.
    struct Scratch {
        std::vector<std::byte> bytes;
        /// Read columns from complete rows, and cache the rows until others replace them, for
        /// callers that next read other columns of the same rows with readers that share the
        /// scratch.
        bool keepsRows = false;
        std::array<Rows, 16> rows; ///< most recently used first
    };
    static constexpr std::size_t kMaxSpan = std::size_t{2} << 20U;

    /// Locates the tensor's pieces (one small read for each encoded one). Fails with the errors of
    /// Checkpoint::locate, with CoverageHole if elements are in no piece, with Unsupported for
    /// strings (string_elements.h). If pieces overlap, the last one is used. The checkpoint must
    /// outlive the reader.
    static Result<TensorReader> open(const Checkpoint& checkpoint, const TensorEntry& tensor);

    /// Elements of `box` in C order. REQUIRES: the box fits the shape and out.size() is its size in
    /// bytes; boxes of dtypes with sub-byte elements must be complete. Fails also with Unsupported
    /// if the box splits blocks of a block dtype.
    Result<void> readBox(const Box& box, std::span<std::byte> out, Scratch& scratch) const;

    /// Bytes [first, first + out.size()) of the dense C-order form of `box`. REQUIRES: complete
    /// elements.
    Result<void> readBytes(const Box& box, std::uint64_t first, std::span<std::byte> out,
                           Scratch& scratch) const;

    /// Sources in use, for checkUnchanged() after a job.
    const std::vector<LocatedPiece>& pieces() const { return m_located; }

    /// Size of the unit of reading: an element; for a block dtype a block; for other sub-byte
    /// elements a byte.
    std::uint64_t elementBytes() const { return m_elementBytes; }

private:
    struct Copy;
    struct Unit;
    TensorReader() = default;
    Result<Box> boxInUnits(const Box& box) const;
    Result<void> readSlab(const Box& slab, std::span<std::byte> out, Scratch& scratch) const;
    Result<void> readPiece(std::size_t piece, const Box& common, const Box& target,
                           std::span<std::byte> out, Scratch& scratch) const;
    Result<void> copyRegion(const Copy& copy, std::span<std::byte> out, Scratch& scratch) const;
    Result<void> copyColumns(const Copy& copy, std::span<std::byte> out, Scratch& scratch) const;
    Result<std::span<const std::byte>> keepRows(const LocatedPiece& piece, ByteRange range,
                                                Scratch& scratch) const;

    Shape m_shape; ///< in units: elements, blocks along the last dimension, or all bytes
    Dtype m_dtype{};
    std::uint64_t m_elementBytes = 1;
    std::vector<Box> m_boxes;
    std::vector<LocatedPiece> m_located; ///< strides are always set
};

/// Reads a small tensor completely; fails with LimitExceeded above `limit` bytes. Strings in their
/// canonical form (string_elements.h).
Result<std::vector<std::byte>> readComplete(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                            std::uint64_t limit);

} // namespace cairn
