// SPDX-License-Identifier: Apache-2.0
#include "tests/core/families/stored_tensors.h"

#include "core/io/byte_source.h"
#include "core/model/tensor_reader.h"

#include <cstddef>

namespace cairn {

CheckpointPtr checkpointOf(const std::vector<Stored>& tensors) {
    CheckpointData data;
    std::vector<std::byte> bytes;
    for (const Stored& each : tensors) {
        TensorEntry tensor;
        tensor.name = each.name;
        tensor.dtype = Dtype::Uint8;
        tensor.shape = each.shape;
        Piece piece;
        piece.box = Box::whole(each.shape);
        piece.bytes = {bytes.size(), elementCount(each.shape).value_or(0)};
        tensor.pieces.push_back(piece);
        for (std::uint64_t i = 0; i < piece.bytes.length; ++i) {
            bytes.push_back(static_cast<std::byte>(bytes.size()));
        }
        data.tensors.push_back(std::move(tensor));
    }
    CheckpointFile file;
    file.path = "memory";
    file.source = makeMemorySource(std::move(bytes), "memory");
    data.addFile(std::move(file));
    return Checkpoint::make(std::move(data));
}

std::vector<NamedTensor> all(const Checkpoint& checkpoint) {
    std::vector<NamedTensor> named;
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        named.push_back({TensorIndex(i), checkpoint.tensors()[i].name});
    }
    return named;
}

std::vector<std::string> shown(const Checkpoint& checkpoint) {
    std::vector<std::string> lines;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        std::string line = tensor.name + " " + formatDims(tensor.shape) + ":";
        const auto bytes = readComplete(checkpoint, tensor, 1U << 20U);
        for (const std::byte each : bytes.value_or(std::vector<std::byte>())) {
            line += " " + std::to_string(static_cast<int>(each));
        }
        lines.push_back(line);
    }
    return lines;
}

} // namespace cairn
