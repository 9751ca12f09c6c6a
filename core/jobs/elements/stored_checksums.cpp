// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/stored_checksums.h"

#include "core/io/hash.h"

#include <algorithm>
#include <optional>

namespace cairn {
namespace {

/// True if the box consists of complete rows, so that its elements are one run of the tensor.
bool wholeRows(const Box& box, const Shape& shape) {
    for (std::size_t d = 1; d < shape.size(); ++d) {
        if (box.extent[d] != shape[d]) {
            return false;
        }
    }
    return true;
}

constexpr std::uint64_t kLargestHeader = std::uint64_t{64} << 10U;

struct KnownSum {
    std::uint32_t expected = 0;
    std::uint32_t (*update)(std::uint32_t, std::span<const std::byte>) = nullptr;
    std::uint32_t begun = 0; ///< of what the checksum covers before the piece
};

/// The checksum of the piece's bytes, with the header before them, if there is one.
std::optional<KnownSum> checksumOf(const Checkpoint& checkpoint, const Piece& piece,
                                   const LocatedPiece& located) {
    if (located.crc32) {
        return located.crcRange == located.bytes ? std::optional(KnownSum{*located.crc32, crc32})
                                                 : std::nullopt;
    }
    const StoredChecksum* stored =
        piece.codec == kRawCodec ? checkpoint.checksumOver(piece.file, located.bytes) : nullptr;
    const bool isComputed = stored != nullptr && (stored->crc32 != 0 || stored->kind.update);
    if (!isComputed) {
        return std::nullopt; // a writer that does not compute a CRC-32 stores 0
    }
    const std::uint64_t header = located.bytes.offset - stored->bytes.offset;
    if (header > kLargestHeader || header + located.bytes.length != stored->bytes.length) {
        return std::nullopt;
    }
    const auto before = readRange(*located.source, {stored->bytes.offset, header});
    if (!before) {
        return std::nullopt; // reading the elements reports why
    }
    const auto update = stored->kind.update != nullptr ? stored->kind.update : crc32;
    return KnownSum{stored->crc32, update, update(0, *before)};
}

} // namespace

StoredChecksums::StoredChecksums(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                 const TensorReader& reader, const Box& box)
    : m_tensor(tensor.name) {
    if (!wholeRows(box, tensor.shape)) {
        return;
    }
    const std::uint64_t rows =
        tensor.shape.empty() ? 1 : static_cast<std::uint64_t>(tensor.shape[0]);
    const std::uint64_t rowBytes = rows == 0 ? 0 : tensor.bytes() / rows;
    if (!tensor.shape.empty()) {
        m_at = static_cast<std::uint64_t>(box.origin[0]) * rowBytes;
    }
    const std::uint64_t end = tensor.shape.empty()
                                  ? tensor.bytes()
                                  : m_at + static_cast<std::uint64_t>(box.extent[0]) * rowBytes;
    std::size_t next = 0; // the reader skips empty pieces
    for (const Piece& piece : tensor.pieces) {
        if (elementCount(piece.box.extent).value_or(0) == 0 || next == reader.pieces().size()) {
            continue;
        }
        const LocatedPiece& located = reader.pieces()[next++];
        const auto known = checksumOf(checkpoint, piece, located);
        const bool plain = known && !located.flags.any() &&
                           located.strides == denseStrides(piece.box.extent) &&
                           wholeRows(piece.box, tensor.shape);
        if (!plain) {
            continue;
        }
        const std::uint64_t first =
            tensor.shape.empty() ? 0 : static_cast<std::uint64_t>(piece.box.origin[0]);
        const std::uint64_t begin = first * rowBytes;
        if (begin < m_at || begin + located.bytes.length > end) {
            continue;
        }
        m_runs.push_back({begin, begin + located.bytes.length, known->expected, known->update,
                          known->begun, located.bytes.offset, located.source->name()});
    }
    std::ranges::sort(m_runs, {}, &Run::begin);
    const auto meet = std::ranges::adjacent_find(
        m_runs, [](const Run& a, const Run& b) { return b.begin < a.end; });
    const bool fits =
        meet == m_runs.end() && (m_runs.empty() || m_runs.back().end <= tensor.bytes());
    if (!fits) {
        m_runs.clear(); // overlaps are checked by coverage
    }
}

Result<void> StoredChecksums::add(std::span<const std::byte> bytes) {
    const std::uint64_t end = m_at + bytes.size();
    while (m_current < m_runs.size() && m_runs[m_current].begin < end) {
        Run& run = m_runs[m_current];
        const std::uint64_t from = std::max(run.begin, m_at);
        const std::uint64_t to = std::min(run.end, end);
        run.found = run.update(run.found, bytes.subspan(static_cast<std::size_t>(from - m_at),
                                                        static_cast<std::size_t>(to - from)));
        if (to < run.end) {
            break;
        }
        if (run.found != run.expected) {
            return fail(ErrorCode::BadChecksum,
                        "The stored data does not match its stored checksum")
                .inFile(run.file)
                .at(run.offset)
                .inTensor(m_tensor)
                .withHint("The file is damaged; copy it again from where it was saved");
        }
        ++m_current;
    }
    m_at = end;
    return {};
}

} // namespace cairn
