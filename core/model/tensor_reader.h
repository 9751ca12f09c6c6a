// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <array>
#include <span>
#include <vector>

namespace cairn {

/// Reads the logical elements of one tensor from wherever they are: the only code that turns pieces
/// into elements. Output is always dense C order, little-endian, with neg and conj bits applied.
/// Immutable after open; read members may be called from any thread, each with a scratch of its
/// own. Holds the files open.
class TensorReader {
public:
    /// Rows of a piece that columns were taken from.
    struct Rows {
        ByteSourcePtr source;
        ByteRange range;
        Dtype dtype{}; ///< as which, and how, they were made plain
        ElementFlags flags;
        std::vector<std::byte> bytes;
    };
    /// Reusable working memory; grows to at most kMaxSpan.
    struct Scratch {
        std::vector<std::byte> bytes;
        /// Columns are taken from complete rows, and the rows are cached until others replace them,
        /// for callers that read other columns of the same rows next, with readers that share the
        /// scratch.
        bool keepsRows = false;
        std::array<Rows, 16> rows; ///< those used last first
    };
    static constexpr std::size_t kMaxSpan = std::size_t{2} << 20U;

    /// Locates the tensor's pieces (one small read for each encoded one). Fails with the errors of
    /// Checkpoint::locate and with CoverageHole when elements are in no piece, with Unsupported for
    /// strings (string_elements.h). Elements that overlap are taken from the last piece. The
    /// checkpoint must outlive the reader.
    static Result<TensorReader> open(const Checkpoint& checkpoint, const TensorEntry& tensor);

    /// Elements of `box` in C order. REQUIRES: the box fits the shape and out.size() is its size in
    /// bytes; boxes of dtypes with sub-byte elements must be complete. Unsupported: the box cuts
    /// blocks of a block dtype.
    Result<void> readBox(const Box& box, std::span<std::byte> out, Scratch& scratch) const;

    /// Bytes [first, first + out.size()) of the dense C-order form of `box`. REQUIRES: whole
    /// elements.
    Result<void> readBytes(const Box& box, std::uint64_t first, std::span<std::byte> out,
                           Scratch& scratch) const;

    /// Sources in use, for checkUnchanged() after a job.
    const std::vector<LocatedPiece>& pieces() const { return m_located; }

    /// Of what is read as one: an element, of a block dtype a block, of other sub-byte elements a
    /// byte.
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
    std::vector<LocatedPiece> m_located; ///< strides always filled
};

/// A complete small tensor; fails with LimitExceeded above `limit` bytes. Strings in their
/// canonical form (string_elements.h).
Result<std::vector<std::byte>> readComplete(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                            std::uint64_t limit);

} // namespace cairn
