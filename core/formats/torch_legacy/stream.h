// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/formats/common/torch/torch_objects.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

/// torch.save before 1.6: five pickles in sequence, then the storages. Private to this folder. Not
/// thread-safe.
namespace cairn::formats::torch_legacy {

/// True if `head` begins with the pickled magic integer, in any protocol.
bool beginsWithMagic(std::span<const std::byte> head);

struct LegacyStream {
    pickle::PickleGraph object;     ///< keeps the buffer alive
    std::vector<std::string> keys;  ///< in the order of the storages in the file
    std::uint64_t objectOffset = 0; ///< of the fourth pickle in the file
    std::uint64_t dataOffset = 0;   ///< end of the fifth pickle
    int protocol = 2;
};

/// Reads the five pickles; reads only as much of the file as needed. Fails: TorchBadHeader,
/// Pickle*, Truncated, Io.
Result<LegacyStream> readLegacyStream(const ByteSource& source);

/// Locates the storages from their element counts, with one 8-byte read each. Storages beyond the
/// end of the file get no location.
class LegacyStorages : public TorchStorages {
public:
    LegacyStorages(const LegacyStream& stream, const ByteSource& source)
        : m_stream(stream), m_source(source) {}

    /// Returns notices if the walk had to stop early. Fails only with Io.
    Result<std::vector<Notice>> locate();

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override;
    void place(const TorchStorage& storage, ByteRange bytes, Dtype dtype, Piece& piece) override;
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override;

private:
    /// Size of an element, from the first persistent id that names the storage.
    std::unordered_map<std::string, std::uint64_t> elementSizes() const;

    const LegacyStream& m_stream;
    const ByteSource& m_source;
    std::unordered_map<std::string, ByteRange> m_places;
};

} // namespace cairn::formats::torch_legacy
