// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/jax/flax_tree.h"

#include <cstdint>

/// Any bytes: a tree or an error; pieces are inside the file and fill their tensors.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    bool sure = false;
    (void)beginsFlaxTree({bytes, size}, sure);
    const auto source = makeMemorySource({bytes, bytes + size}, "fuzz.msgpack");
    const auto tree = readFlaxTree(source, FileIndex(0), CancelToken());
    if (!tree) {
        return 0;
    }
    for (const TensorEntry& tensor : tree->tensors) {
        std::uint64_t held = 0;
        for (const Piece& piece : tensor.pieces) {
            held += piece.bytes.length;
            if (!piece.bytes.fitsInto(size) || !fitsInto(piece.box, tensor.shape)) {
                __builtin_trap();
            }
        }
        if (held != tensor.bytes()) {
            __builtin_trap();
        }
    }
    return 0;
}
