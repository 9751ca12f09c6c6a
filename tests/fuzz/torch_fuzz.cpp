// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle.h"
#include "core/formats/common/torch/torch_objects.h"
#include "core/formats/torch_legacy/stream.h"
#include "core/formats/torch_legacy/tar_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace cairn;
using namespace cairn::formats;

/// Storages of any name exist and have 64 bytes.
class AnyStorages : public TorchStorages {
public:
    explicit AnyStorages(std::span<const std::byte> buffer) : m_buffer(buffer) {}
    Result<std::uint64_t> sizeOf(const TorchStorage&) override { return std::uint64_t{64}; }
    void place(const TorchStorage&, ByteRange bytes, Dtype, Piece& piece) override {
        if (!bytes.fitsInto(64)) {
            std::abort();
        }
        piece.bytes = bytes;
    }
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override {
        if (bytes.empty() || bytes.data() < m_buffer.data() ||
            bytes.data() + bytes.size() > m_buffer.data() + m_buffer.size()) {
            return false;
        }
        piece.bytes = {static_cast<std::uint64_t>(bytes.data() - m_buffer.data()), bytes.size()};
        return true;
    }

private:
    std::span<const std::byte> m_buffer;
};

} // namespace

/// Any pickle as a torch checkpoint, and any bytes as a legacy stream or tar: no crash, and pieces
/// only inside existing bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    if (const auto graph = pickle::parsePickle(bytes)) {
        AnyStorages storages(graph->buffer());
        auto objects = readTorchObjects(*graph, storages);
        if (!objects) {
            std::abort();
        }
        CheckpointData checkpoint;
        checkpoint.addFile({});
        adoptObjects(checkpoint, *objects, "memory");
        (void)expandedSize(objects->root, 1000);
        (void)Checkpoint::make(std::move(checkpoint));
    }
    const auto source = makeMemorySource({bytes.begin(), bytes.end()}, "fuzz");
    if (const auto stream = torch_legacy::readLegacyStream(*source)) {
        torch_legacy::LegacyStorages storages(*stream, *source);
        (void)storages.locate();
        (void)readTorchObjects(stream->object, storages);
    }
    torch_legacy::TarFile tar(*source);
    std::vector<Notice> notices;
    if (tar.read(notices)) {
        auto objects = readTorchObjects(tar.object(), tar);
        for (const TensorEntry& tensor : objects->tensors) {
            for (const Piece& piece : tensor.pieces) {
                if (piece.file != kDecodedFile && !piece.bytes.fitsInto(size)) {
                    std::abort();
                }
            }
        }
    }
    return 0;
}
