// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::formats {

/// Whether tensors of several ranks' files contain the same bytes, so that they are copies of one
/// tensor. Equal CRC-32 of the records suffice; without them the bytes are read: all of a small
/// tensor, samples of a large one, at most kMaxRead in total. Not thread-safe.
class ReplicaCheck {
public:
    enum class Verdict : std::uint8_t { Same, Different, NotCompared };
    enum class Depth : std::uint8_t {
        Samples, ///< Same is likely, not certain: by samples or CRC-32
        Whole,   ///< no samples: equal CRC-32, or every byte is read, or NotCompared
    };

    /// `data` must outlive this; files, checksums and codecs may be added to it meanwhile.
    explicit ReplicaCheck(const CheckpointData& data) : m_data(data) {}

    /// REQUIRES: both are in files of `data` and have the same dtype and shape. Different is
    /// certain; NotCompared: unknown (different layouts, an unreadable file, too much data).
    Verdict compare(const TensorEntry& left, const TensorEntry& right,
                    Depth depth = Depth::Samples);

    /// Number of tensors found equal from samples only.
    [[nodiscard]] std::size_t sampled() const { return m_sampled; }

    static constexpr std::uint64_t kWhole = std::uint64_t{128}
                                            << 10U; ///< smaller tensors are read completely
    static constexpr std::uint64_t kEdge =
        std::uint64_t{16} << 10U; ///< read at the start and the end of larger tensors
    static constexpr std::uint64_t kSample = std::uint64_t{4}
                                             << 10U; ///< size of each of the kSamples between them
    static constexpr std::uint64_t kSamples = 8;
    static constexpr std::uint64_t kMaxRead = std::uint64_t{256} << 20U;

private:
    /// The record that contains a piece.
    struct Place {
        std::uint64_t record = 0; ///< length of the record
        std::uint64_t offset = 0; ///< of the piece in the record
        std::uint32_t crc = 0;
    };
    void indexChecksums();
    std::optional<Place> placeOf(const Piece& piece);
    Verdict comparePieces(const TensorEntry& left, const Piece& a, const TensorEntry& right,
                          const Piece& b, Depth depth);
    Verdict compareBytes(const LocatedPiece& a, const LocatedPiece& b, bool dense, Depth depth);
    Result<LocatedPiece> locate(const TensorEntry& tensor, const Piece& piece);
    Result<ByteSourcePtr> open(FileIndex file);
    std::optional<bool> sameRange(const LocatedPiece& a, const LocatedPiece& b, std::uint64_t from,
                                  std::uint64_t length);

    const CheckpointData& m_data;
    std::size_t m_indexed = 0; ///< number of indexed entries of m_data.checksums
    /// For each file: (offset of a record, position in m_data.checksums), ordered by offset.
    using Records = std::vector<std::pair<std::uint64_t, std::size_t>>;
    std::unordered_map<std::size_t, Records> m_records;
    std::unordered_map<std::size_t, ByteSourcePtr> m_open;
    std::uint64_t m_read = 0;
    std::size_t m_sampled = 0;
};

} // namespace cairn::formats
