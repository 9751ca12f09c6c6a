// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::formats::tensorflow {

/// DT_STRING in a data shard (tensor_bundle.cc, WriteStringTensor): the lengths as varint64, their
/// masked CRC-32C (over each as u32 in the checkpoint's byte order, or u64 if it does not fit),
/// then the concatenated strings. Locating reads the lengths; the located source produces the
/// canonical form (model/string_elements.h) while it is read, and compares the entry's checksum at
/// the end.
///
/// Fails: BadEncoding (lengths that do not match the entry's size), BadChecksum, Truncated.
class StringCodec final : public PieceCodec {
public:
    explicit StringCodec(bool bigEndian) : m_bigEndian(bigEndian) {}

    /// Sets the stored checksum of the entry at `offset`. Call it before the codec is shared.
    void expect(FileIndex file, std::uint64_t offset, std::uint32_t crc32c);

    std::string_view name() const override { return "tensorflow.string"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override;

private:
    bool m_bigEndian;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> m_checksums;
};

/// The data of an entry of strings, for a little-endian bundle, and its checksum.
struct EncodedStrings {
    std::vector<std::byte> bytes;
    std::uint32_t crc32c = 0; ///< not masked
};
/// REQUIRES: `canonical` consists of complete elements (model/string_elements.h).
EncodedStrings encodeStrings(std::span<const std::byte> canonical);

} // namespace cairn::formats::tensorflow
