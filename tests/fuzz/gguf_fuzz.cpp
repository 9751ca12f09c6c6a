// SPDX-License-Identifier: Apache-2.0
#include "core/compute/dequantize.h"
#include "core/formats/gguf/tensor_table.h"

#include <cstdint>
#include <vector>

namespace {

using namespace cairn;

/// Decodes one block of every dtype from the first bytes: no lookup is out of bounds, whatever the
/// bits are.
void decodeBlocks(std::span<const std::byte> bytes) {
    for (const DtypeInfo& info : allDtypes()) {
        if (info.isBlock() && bytes.size() >= info.blockBytes) {
            std::vector<float> out(info.blockElements);
            dequantize(info.dtype, bytes.first(info.blockBytes), out);
        }
    }
}

} // namespace

/// Any bytes: an error, or values and tensors whose pieces are inside the file and as long as their
/// shape requires.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    decodeBlocks(bytes);
    const auto source = makeMemorySource({bytes.begin(), bytes.end()}, "fuzz.gguf");
    formats::gguf::HeaderCursor cursor(source);
    const auto header = formats::gguf::readHeader(cursor, {});
    if (!header) {
        return 0;
    }
    if (!formats::gguf::readMetadata(source, *header, {})) {
        __builtin_trap(); // what was skipped over can be read
    }
    const auto table = formats::gguf::readTensorTable(cursor, *header, FileIndex(0), {});
    if (!table) {
        return 0;
    }
    for (const TensorEntry& tensor : table->tensors) {
        for (const Piece& piece : tensor.pieces) {
            const bool fits = piece.bytes.fitsInto(size) && piece.bytes.length == tensor.bytes() &&
                              fitsInto(piece.box, tensor.shape);
            if (!fits) {
                __builtin_trap();
            }
        }
    }
    return 0;
}
