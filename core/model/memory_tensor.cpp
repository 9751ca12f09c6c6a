// SPDX-License-Identifier: Apache-2.0
#include "core/model/memory_tensor.h"

#include "core/io/byte_source.h"

#include <utility>

namespace cairn {

TensorEntry memoryTensor(CheckpointData& data, std::string name, Dtype dtype, Shape shape,
                         std::vector<std::byte> bytes, std::string place) {
    CheckpointFile file;
    file.path = std::move(place);
    file.identity.size = bytes.size();
    file.source = makeMemorySource(std::move(bytes), file.path);
    TensorEntry tensor;
    tensor.name = std::move(name);
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    Piece piece;
    piece.box = Box::whole(tensor.shape);
    piece.bytes = {0, file.identity.size};
    piece.file = data.addFile(std::move(file));
    tensor.pieces.push_back(std::move(piece));
    return tensor;
}

} // namespace cairn
