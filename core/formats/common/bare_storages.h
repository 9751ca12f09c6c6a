// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch_objects.h"

namespace cairn::formats {

/// For a pickle without an archive around it: only bytes inside the pickle itself can be found.
/// `buffer` is the graph's; `offset` is where it begins in the checkpoint's first file. The buffer
/// must outlive it.
class BareStorages : public TorchStorages {
public:
    explicit BareStorages(std::span<const std::byte> buffer, std::uint64_t offset = 0)
        : m_buffer(buffer), m_offset(offset) {}

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override {
        return fail(ErrorCode::TorchMissingRecord, "The bytes of a tensor are not in this file")
            .butFound("a pickle without an archive")
            .expecting("a storage " + std::string(storage.key));
    }
    void place(const TorchStorage&, ByteRange, Dtype, Piece&) override {}
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override {
        if (bytes.empty()) {
            return false;
        }
        const auto inPickle = static_cast<std::uint64_t>(bytes.data() - m_buffer.data());
        piece.bytes = {m_offset + inPickle, bytes.size()};
        return true;
    }

private:
    std::span<const std::byte> m_buffer;
    std::uint64_t m_offset;
};

} // namespace cairn::formats
