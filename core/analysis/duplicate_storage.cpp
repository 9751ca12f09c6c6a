// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/duplicate_storage.h"

#include "core/analysis/tensor_pass.h"
#include "core/base/position_table.h"
#include "core/io/extent_sharing.h"

#include <algorithm>
#include <string_view>

namespace cairn::duplicates {
namespace {

constexpr std::uint64_t kSampledAbove = std::uint64_t{64} << 10U;
constexpr std::uint64_t kSampledBlock = 4096;

} // namespace

std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
    return hashOf(hash ^ (number + 0x9E37'79B9'7F4A'7C15U + (hash << 6U) + (hash >> 2U)));
}

std::uint64_t storageOf(const Checkpoint& checkpoint, const TensorEntry& tensor,
                        std::uint32_t holder, const std::map<FileId, FileId>& represented) {
    std::uint64_t hash = 1;
    for (const Piece& piece : tensor.pieces) {
        const CheckpointFile& file = checkpoint.files()[piece.file.position()];
        FileId id = idOf(file.identity);
        if (const auto known = represented.find(id); known != represented.end()) {
            id = known->second;
        }
        hash = mixed(mixed(hash, id.first), id.second);
        if (file.source != nullptr) { // only in memory
            hash = mixed(mixed(hash, holder), piece.file.position());
        }
        hash = mixed(mixed(hash, piece.bytes.offset), piece.bytes.length);
        if (piece.codec != kRawCodec) {
            hash = mixed(hash, hashOf(std::string_view(tensor.name)));
        }
        for (const auto stride : piece.strides) {
            hash = mixed(hash, static_cast<std::uint64_t>(stride));
        }
        for (const auto origin : piece.box.origin) {
            hash = mixed(hash, static_cast<std::uint64_t>(origin));
        }
        hash = mixed(hash, (piece.flags.swapBytes ? 1U : 0U) + (piece.flags.negate ? 2U : 0U) +
                               (piece.flags.conjugate ? 4U : 0U));
    }
    return hash;
}

std::optional<std::uint64_t> sampleOf(const Checkpoint& checkpoint, TensorIndex index) {
    const TensorEntry& tensor = checkpoint.tensor(index);
    if (tensor.bytes() < kSampledAbove) {
        return 0;
    }
    if (!hasRandomAccess(checkpoint, tensor)) {
        return std::nullopt;
    }
    const auto reader = TensorReader::open(checkpoint, tensor);
    if (!reader || !checkExpansion(tensor, *reader)) {
        return std::nullopt;
    }
    thread_local PassBuffer buffer;
    const std::uint64_t unit = std::max<std::uint64_t>(1, reader->elementBytes());
    const std::uint64_t units = tensor.bytes() / unit;
    const std::uint64_t length = std::max<std::uint64_t>(1, std::min(kSampledBlock / unit, units));
    std::uint64_t hash = 1;
    for (const std::uint64_t at : {std::uint64_t{0}, (units - length) / 2, units - length}) {
        buffer.bytes.resize(static_cast<std::size_t>(length * unit));
        if (!reader->readBytes(Box::whole(tensor.shape), at * unit, buffer.bytes, buffer.scratch)) {
            return std::nullopt;
        }
        hash =
            mixed(hash, hashOf(std::string_view(reinterpret_cast<const char*>(buffer.bytes.data()),
                                                buffer.bytes.size())));
    }
    return hash;
}

std::pair<ByteSourcePtr, ByteRange> storedRange(const Checkpoint& checkpoint,
                                                const TensorEntry& tensor) {
    if (tensor.pieces.size() != 1 || tensor.pieces.front().codec != kRawCodec) {
        return {};
    }
    auto source = checkpoint.openFile(tensor.pieces.front().file);
    if (!source || (*source)->descriptor() < 0 || !sharingFileSystem((*source)->descriptor())) {
        return {};
    }
    return {*source, tensor.pieces.front().bytes};
}

} // namespace cairn::duplicates
