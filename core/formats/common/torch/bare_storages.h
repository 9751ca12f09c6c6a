// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/pickle_image.h"
#include "core/formats/common/torch/torch_objects.h"

#include <string>
#include <utility>

namespace cairn::formats {

/// Storages of a pickle without an archive: only data inside the pickle itself can be located, in
/// the checkpoint's first file. The graph's buffer must be the image's bytes.
class BareStorages : public TorchStorages {
public:
    explicit BareStorages(PickleImagePtr image) : m_image(std::move(image)) {}

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override {
        return fail(ErrorCode::TorchMissingRecord, "The data of a tensor is not in this file")
            .butFound("a pickle without an archive")
            .expecting(sentence("a storage %1", storage.key));
    }
    void place(const TorchStorage&, ByteRange, Dtype, Piece&) override {}
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override {
        if (bytes.empty()) {
            return false;
        }
        piece.bytes = m_image->placeOf(bytes);
        return true;
    }
    Result<std::vector<std::byte>> contentOf(std::span<const std::byte> bytes) override {
        return m_image->contentOf(bytes);
    }

private:
    PickleImagePtr m_image;
};

} // namespace cairn::formats
