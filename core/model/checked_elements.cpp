// SPDX-License-Identifier: Apache-2.0
#include "core/model/checked_elements.h"

#include "core/io/hash.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20U;

Result<std::uint32_t> checksumOf(const ByteSource& source, ByteRange range,
                                 const ChecksumKind& kind, const CancelToken& cancel) {
    const auto update = kind.update != nullptr ? kind.update : crc32;
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(range.length, kChunk)));
    std::uint32_t sum = 0;
    for (std::uint64_t at = 0; at < range.length;) {
        CAIRN_CHECK(cancel.check());
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, range.length - at));
        const auto bytes = std::span(buffer).first(count);
        CAIRN_CHECK(source.readAt(range.offset + at, bytes));
        sum = update(sum, bytes);
        at += count;
    }
    return sum;
}

/// False: the writer computed none, which a CRC-32 of 0 stands for.
Result<bool> compare(const ByteSource& source, ByteRange range, std::uint32_t expected,
                     const ChecksumKind& kind, const CancelToken& cancel) {
    CAIRN_TRY(const std::uint32_t found, checksumOf(source, range, kind, cancel));
    if (found == expected) {
        return true;
    }
    if (expected == 0 && kind.update == nullptr) {
        return false;
    }
    return fail(ErrorCode::BadChecksum, "The stored checksum does not match the data")
        .at(range.offset)
        .butFound(sentence("%1 %2", kind.name, found))
        .expecting(sentence("%1 %2", kind.name, expected))
        .withHint("The data changed after it was saved; use another copy");
}

ElementProof proofOf(bool compared) {
    return compared ? ElementProof::Compared : ElementProof::NoChecksum;
}

Result<ElementProof> provePiece(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                const Piece& piece) {
    const CheckpointFile& file = checkpoint.files()[piece.file.position()];
    if (file.source != nullptr) {
        return ElementProof::OfValues;
    }
    if (piece.codec != kRawCodec) {
        CAIRN_TRY(const LocatedPiece located, checkpoint.locate(tensor, piece));
        if (located.comparesItself) {
            return ElementProof::Compared;
        }
        if (located.crc32 && located.crcRange.length > kMostCompared) {
            return ElementProof::Later;
        }
        if (located.crc32) {
            auto compared =
                compare(*located.source, located.crcRange, *located.crc32, {}, CancelToken());
            if (!compared) {
                return std::move(compared).error().inFile(file.path).at(piece.bytes.offset);
            }
            return proofOf(*compared);
        }
    }
    const StoredChecksum* stored = checkpoint.checksumOver(piece.file, piece.bytes);
    if (stored == nullptr) {
        return ElementProof::NoChecksum;
    }
    if (stored->bytes.length > kMostCompared) {
        return ElementProof::Later;
    }
    return compareChecksum(checkpoint, *stored).transform(proofOf);
}

} // namespace

Result<bool> compareChecksum(const Checkpoint& checkpoint, const StoredChecksum& stored,
                             const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr source, checkpoint.openFile(stored.file));
    auto compared = compare(*source, stored.bytes, stored.crc32, stored.kind, cancel);
    if (!compared && compared.error().code != ErrorCode::Cancelled) {
        return std::move(compared)
            .error()
            .inFile(checkpoint.files()[stored.file.position()].path)
            .inField(stored.what);
    }
    return compared;
}

Result<CheckedElements> readChecked(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                    std::uint64_t limit) {
    CheckedElements read;
    CAIRN_TRY(read.bytes, readComplete(checkpoint, tensor, limit));
    read.proof = ElementProof::Compared;
    for (const Piece& piece : tensor.pieces) {
        if (elementCount(piece.box.extent).value_or(0) == 0) {
            continue;
        }
        auto proof = provePiece(checkpoint, tensor, piece);
        if (!proof) {
            return std::move(proof).error().inTensor(tensor.name);
        }
        read.proof = std::max(read.proof, *proof);
    }
    return read;
}

} // namespace cairn
