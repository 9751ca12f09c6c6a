// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace cairn::formats::tensorflow {

/// DT_STRING in a data shard (tensor_bundle.cc, WriteStringTensor): the lengths as varint64, their
/// masked CRC-32C (of each as u32 in the checkpoint's byte order, as u64 where it does not fit),
/// then the strings end to end. Locating reads the lengths; the located source makes the canonical
/// form (model/string_elements.h) as it is read, and compares the entry's checksum at its end.
///
/// Fails: BadEncoding (lengths that do not fill the entry), BadChecksum, Truncated.
class StringCodec final : public PieceCodec {
public:
    explicit StringCodec(bool bigEndian) : m_bigEndian(bigEndian) {}

    /// Before the codec is shared: the stored checksum of the entry that begins there.
    void expect(FileIndex file, std::uint64_t offset, std::uint32_t crc32c);

    std::string_view name() const override { return "tensorflow.string"; }
    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override;

private:
    bool m_bigEndian;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> m_checksums;
};

} // namespace cairn::formats::tensorflow
