// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/keras/weights_file.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// The output of the HDF5 reader process, as parsed by the main process: any lines, and after a zero
// byte any content of the file that they describe. Every dataset becomes a tensor or a notice, and
// chunks are unpacked.

namespace {

using namespace cairn;

constexpr ByteRange kRange{64, 16384};

void require(bool holds) {
    if (!holds) {
        __builtin_trap();
    }
}

bool inside(ByteRange bytes) {
    return bytes.offset >= kRange.offset && bytes.length <= kRange.length &&
           bytes.offset - kRange.offset <= kRange.length - bytes.length;
}

void examine(const hdf5::Index& index) {
    for (const hdf5::Dataset& dataset : index.datasets) {
        require(!dataset.bytes || inside(*dataset.bytes));
        for (const hdf5::Chunk& chunk : dataset.chunks) {
            require(inside(chunk.bytes));
        }
    }
}

ByteSourcePtr fileOf(std::span<const std::byte> content) {
    std::vector<std::byte> bytes(kRange.offset + kRange.length);
    std::ranges::copy(content.first(std::min<std::size_t>(content.size(), kRange.length)),
                      bytes.begin() + kRange.offset);
    return makeMemorySource(std::move(bytes), "fuzz.h5");
}

void readAll(hdf5::Index index, const ByteSourcePtr& source) {
    CheckpointData data;
    data.format = "keras";
    CheckpointFile file;
    file.path = source->name();
    file.source = source;
    file.identity.size = source->size();
    const FileIndex position = data.addFile(std::move(file));
    std::vector<ValueItem> values;
    formats::keras::addIndexed(data, position, source, std::move(index), values);
    const CheckpointPtr checkpoint = Checkpoint::make(std::move(data));
    for (const TensorEntry& tensor : checkpoint->tensors()) {
        for (const Piece& piece : tensor.pieces) {
            require(fitsInto(piece.box, tensor.shape));
        }
        (void)readComplete(*checkpoint, tensor, 4096);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    const std::string_view text = asText(bytes);
    const std::size_t zero = std::min(text.find('\0'), size);
    auto index = hdf5::parseIndex(text.substr(0, zero), kRange, "fuzz");
    if (!index) {
        return 0;
    }
    examine(*index);
    readAll(std::move(*index), fileOf(bytes.subspan(std::min(zero + 1, size))));
    return 0;
}
