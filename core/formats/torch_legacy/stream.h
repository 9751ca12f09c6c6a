// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/formats/common/torch_objects.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

/// torch.save before 1.6: five pickles in a row, then the storages. Private to this folder. One
/// thread.
namespace cairn::formats::torch_legacy {

/// True if `head` begins with the pickled magic integer, in any protocol.
bool beginsWithMagic(std::span<const std::byte> head);

struct LegacyStream {
    pickle::PickleGraph object;     ///< keeps the buffer alive
    std::vector<std::string> keys;  ///< order of the storages in the file
    std::uint64_t objectOffset = 0; ///< of the fourth pickle
    std::uint64_t dataOffset = 0;   ///< end of the fifth pickle
    int protocol = 2;
};

/// Reads the five pickles, from as little of the file as they need. Fails: TorchBadHeader, Pickle*,
/// Truncated, Io.
Result<LegacyStream> readLegacyStream(const ByteSource& source);

/// Walks the storages' counts: one 8-byte read each. What is beyond the end of the file gets no
/// place.
class LegacyStorages : public TorchStorages {
public:
    LegacyStorages(const LegacyStream& stream, const ByteSource& source)
        : m_stream(stream), m_source(source) {}

    /// Notices state where the walk had to stop. Fails only with Io.
    Result<std::vector<Notice>> locate();

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override;
    void place(const TorchStorage& storage, ByteRange bytes, Dtype dtype, Piece& piece) override;
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override;

private:
    /// Bytes of one element, from the first persistent id that names the storage.
    std::unordered_map<std::string, std::uint64_t> elementSizes() const;

    const LegacyStream& m_stream;
    const ByteSource& m_source;
    std::unordered_map<std::string, ByteRange> m_places;
};

} // namespace cairn::formats::torch_legacy
