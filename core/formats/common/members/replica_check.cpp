// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/replica_check.h"

#include <algorithm>

namespace cairn::formats {
namespace {

constexpr std::size_t kMaxOpenSources = 32;
constexpr std::uint64_t kBlock = std::uint64_t{1} << 20U; ///< of a tensor that is read completely

bool isDense(const Piece& piece) {
    return piece.strides.empty() || piece.strides == denseStrides(piece.box.extent);
}

} // namespace

ReplicaCheck::Verdict ReplicaCheck::compare(const TensorEntry& left, const TensorEntry& right,
                                            Depth depth) {
    if (left.elements() == 0) {
        return Verdict::Same;
    }
    if (left.pieces.empty() || left.pieces.size() != right.pieces.size()) {
        return Verdict::NotCompared;
    }
    indexChecksums();
    Verdict all = Verdict::Same;
    for (std::size_t i = 0; i < left.pieces.size(); ++i) {
        const Verdict one = comparePieces(left, left.pieces[i], right, right.pieces[i], depth);
        if (one == Verdict::Different) {
            return one;
        }
        all = one == Verdict::Same ? all : one;
    }
    return all;
}

void ReplicaCheck::indexChecksums() {
    while (m_indexed < m_data.checksums.size()) { // checksums of one file are consecutive
        const FileIndex file = m_data.checksums[m_indexed].file;
        Records& records = m_records[file.position()];
        for (; m_indexed < m_data.checksums.size() && m_data.checksums[m_indexed].file == file;
             ++m_indexed) {
            if (m_data.checksums[m_indexed].kind.update == nullptr &&
                m_data.checksums[m_indexed].crc32 != 0) {
                records.emplace_back(m_data.checksums[m_indexed].bytes.offset, m_indexed);
            }
        }
        std::ranges::sort(records);
    }
}

std::optional<ReplicaCheck::Place> ReplicaCheck::placeOf(const Piece& piece) {
    const auto file = m_records.find(piece.file.position());
    if (file == m_records.end() || piece.codec != kRawCodec) {
        return std::nullopt;
    }
    auto record =
        std::ranges::upper_bound(file->second, piece.bytes.offset, {}, &Records::value_type::first);
    if (record == file->second.begin()) {
        return std::nullopt;
    }
    --record;
    const StoredChecksum& checksum = m_data.checksums[record->second];
    const std::uint64_t offset = piece.bytes.offset - checksum.bytes.offset;
    const bool inside =
        offset <= checksum.bytes.length && piece.bytes.length <= checksum.bytes.length - offset;
    return inside ? std::optional(Place{checksum.bytes.length, offset, checksum.crc32})
                  : std::nullopt;
}

ReplicaCheck::Verdict ReplicaCheck::comparePieces(const TensorEntry& left, const Piece& a,
                                                  const TensorEntry& right, const Piece& b,
                                                  Depth depth) {
    if (a.box != b.box || a.flags != b.flags) {
        return Verdict::NotCompared;
    }
    const bool alike = isDense(a) ? isDense(b) : a.strides == b.strides;
    if (!alike) {
        return Verdict::NotCompared;
    }
    const auto x = placeOf(a);
    const auto y = placeOf(b);
    if (x && y && x->record == y->record && x->offset == y->offset &&
        a.bytes.length == b.bytes.length) {
        if (x->crc == y->crc) {
            return Verdict::Same;
        }
        if (isDense(a) && a.bytes.length == x->record) {
            return Verdict::Different;
        }
    }
    const auto from = locate(left, a);
    const auto to = locate(right, b);
    return from && to ? compareBytes(*from, *to, isDense(a), depth) : Verdict::NotCompared;
}

ReplicaCheck::Verdict ReplicaCheck::compareBytes(const LocatedPiece& a, const LocatedPiece& b,
                                                 bool dense, Depth depth) {
    const std::uint64_t length = a.bytes.length;
    if (length != b.bytes.length || a.flags != b.flags || a.strides != b.strides) {
        return Verdict::NotCompared;
    }
    std::vector<ByteRange> parts;
    const bool whole = length <= kWhole || depth == Depth::Whole;
    if (whole) {
        if (m_read + length > kMaxRead) {
            return Verdict::NotCompared;
        }
        for (std::uint64_t at = 0; at < length; at += std::min(kBlock, length - at)) {
            parts.push_back({at, std::min(kBlock, length - at)});
        }
    } else {
        parts.push_back({0, kEdge});
        parts.push_back({length - kEdge, kEdge});
        const std::uint64_t step = (length - 2 * kEdge) / (kSamples + 1);
        for (std::uint64_t i = 1; i <= kSamples; ++i) {
            parts.push_back({kEdge + i * step, std::min(kSample, length - kEdge - i * step)});
        }
    }
    for (const ByteRange& part : parts) {
        const auto same = sameRange(a, b, part.offset, part.length);
        if (!same) {
            return Verdict::NotCompared;
        }
        if (!*same) { // the difference may be between the elements of a view
            return dense ? Verdict::Different : Verdict::NotCompared;
        }
    }
    m_sampled += whole ? 0 : 1;
    return Verdict::Same;
}

std::optional<bool> ReplicaCheck::sameRange(const LocatedPiece& a, const LocatedPiece& b,
                                            std::uint64_t from, std::uint64_t length) {
    if (m_read + length > kMaxRead) {
        return std::nullopt;
    }
    m_read += length;
    const auto left = readRange(*a.source, {a.bytes.offset + from, length});
    const auto right = readRange(*b.source, {b.bytes.offset + from, length});
    return left && right ? std::optional(*left == *right) : std::nullopt;
}

Result<LocatedPiece> ReplicaCheck::locate(const TensorEntry& tensor, const Piece& piece) {
    CAIRN_TRY(ByteSourcePtr source, open(piece.file));
    if (piece.codec == kRawCodec) {
        return LocatedPiece{std::move(source), piece.bytes, piece.strides, piece.flags, {}, {}};
    }
    return m_data.codecs.at(piece.codec)->locate(source, tensor, piece);
}

Result<ByteSourcePtr> ReplicaCheck::open(FileIndex file) {
    if (const auto known = m_open.find(file.position()); known != m_open.end()) {
        return known->second;
    }
    const CheckpointFile& of = m_data.files.at(file.position());
    ByteSourcePtr source = of.source;
    if (source == nullptr) {
        CAIRN_TRY(source, of.folder->openFile(of.openAs.empty() ? of.path : of.openAs));
    }
    if (m_open.size() >= kMaxOpenSources) {
        m_open.clear();
    }
    m_open.emplace(file.position(), source);
    return source;
}

} // namespace cairn::formats
