// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::formats {

/// Whether tensors of several ranks' files hold the same bytes, so that they are copies of one
/// tensor. Equal CRC-32 of the records that hold them are enough; where there are none the bytes
/// are read: all of a small tensor, samples of a large one, at most kMaxRead in all. One thread.
class ReplicaCheck {
public:
    enum class Verdict : std::uint8_t { Same, Different, NotCompared };

    /// `data` must outlive this; files, checksums and codecs may be added to it meanwhile.
    explicit ReplicaCheck(const CheckpointData& data) : m_data(data) {}

    /// REQUIRES: both are in files of `data`, and are of one dtype and shape. Different is sure;
    /// NotCompared: nothing is known (a layout of its own, a file that cannot be read, too much).
    Verdict compare(const TensorEntry& left, const TensorEntry& right);

    /// How many were found to be the same by samples alone.
    [[nodiscard]] std::size_t sampled() const { return m_sampled; }

    static constexpr std::uint64_t kWhole = std::uint64_t{128} << 10U; ///< read whole up to this
    static constexpr std::uint64_t kEdge = std::uint64_t{16} << 10U;   ///< first and last of others
    static constexpr std::uint64_t kSample = std::uint64_t{4} << 10U;  ///< and kSamples between
    static constexpr std::uint64_t kSamples = 8;
    static constexpr std::uint64_t kMaxRead = std::uint64_t{256} << 20U;

private:
    /// Where a piece is in the record that holds it.
    struct Place {
        std::uint64_t record = 0; ///< length
        std::uint64_t offset = 0; ///< of the piece in it
        std::uint32_t crc = 0;
    };
    void indexChecksums();
    std::optional<Place> placeOf(const Piece& piece);
    Verdict comparePieces(const TensorEntry& left, const Piece& a, const TensorEntry& right,
                          const Piece& b);
    Verdict compareBytes(const LocatedPiece& a, const LocatedPiece& b, bool dense);
    Result<LocatedPiece> locate(const TensorEntry& tensor, const Piece& piece);
    Result<ByteSourcePtr> open(FileIndex file);
    std::optional<bool> sameRange(const LocatedPiece& a, const LocatedPiece& b, std::uint64_t from,
                                  std::uint64_t length);

    const CheckpointData& m_data;
    std::size_t m_indexed = 0; ///< of the data's checksums
    /// For each file: offset of a record, and which of the data's checksums is its; by offset.
    using Records = std::vector<std::pair<std::uint64_t, std::size_t>>;
    std::unordered_map<std::size_t, Records> m_records;
    std::unordered_map<std::size_t, ByteSourcePtr> m_open;
    std::uint64_t m_read = 0;
    std::size_t m_sampled = 0;
};

} // namespace cairn::formats
