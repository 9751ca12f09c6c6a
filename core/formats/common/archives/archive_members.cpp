// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/archives/archive_members.h"

#include "core/io/member_folder.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace cairn::formats {
namespace {

/// New position of one file of the list.
struct Moved {
    FileIndex file;
    std::optional<ByteRange> member; ///< range in the archive; empty: not a member of it
};

std::optional<ByteRange> placeInArchive(const CheckpointFile& file) {
    const auto* folder = dynamic_cast<const MemberFolder*>(file.folder.get());
    return folder == nullptr || file.source != nullptr
               ? std::nullopt
               : folder->placeOf(file.openAs.empty() ? file.path : file.openAs);
}

/// Wraps a codec of a member's reader, whose offsets count within the member: finds the member that
/// contains a piece, and passes only that member to the codec.
class MemberCodec final : public PieceCodec {
public:
    using Places =
        std::shared_ptr<const std::vector<ByteRange>>; ///< ranges of the members, ordered by offset

    MemberCodec(std::shared_ptr<const PieceCodec> inner, Places places, std::uint64_t archiveSize)
        : m_inner(std::move(inner)), m_places(std::move(places)), m_archiveSize(archiveSize) {}

    std::string_view name() const override { return m_inner->name(); }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const auto after = std::upper_bound(
            m_places->begin(), m_places->end(), piece.bytes.offset,
            [](std::uint64_t offset, const ByteRange& place) { return offset < place.offset; });
        if (file->size() != m_archiveSize || after == m_places->begin()) {
            return m_inner->locate(file, tensor, piece); // in memory, not in the archive
        }
        const ByteRange place = *(after - 1);
        const ByteSourcePtr member = makeMemberSource(file, place, file->name());
        Piece within = piece;
        within.bytes.offset -= place.offset;
        auto located = m_inner->locate(member, tensor, within);
        if (!located) {
            Error error = std::move(located).error();
            if (error.where.offset) {
                error.where.offset = *error.where.offset + place.offset;
            }
            return error;
        }
        if (located->source == member) {
            located->source = file;
            located->bytes.offset += place.offset;
            located->crcRange.offset += place.offset;
        }
        return located;
    }

private:
    std::shared_ptr<const PieceCodec> m_inner;
    Places m_places;
    std::uint64_t m_archiveSize;
};

/// False: the range is not inside its file.
bool move(const Moved& moved, FileIndex& file, ByteRange& bytes) {
    file = moved.file;
    if (!moved.member) {
        return true;
    }
    const bool fits = bytes.fitsInto(moved.member->length);
    bytes.offset += fits ? moved.member->offset : 0;
    return fits;
}

/// Wraps the codecs of pieces that are in a member. REQUIRES: the archive is the first file.
void wrapCodecs(CheckpointData& data, const std::vector<Moved>& moved) {
    auto places = std::make_shared<std::vector<ByteRange>>();
    const std::uint64_t size = data.files[0].identity.size;
    for (const Moved& each : moved) {
        if (each.member && each.member->length > 0) {
            places->push_back(*each.member);
        }
    }
    std::ranges::sort(*places, {}, &ByteRange::offset);
    for (std::shared_ptr<const PieceCodec>& codec : data.codecs) {
        if (codec != nullptr) {
            codec = std::make_shared<MemberCodec>(std::move(codec), places, size);
        }
    }
}

} // namespace

void moveIntoArchive(CheckpointData& data, CheckpointFile archive) {
    std::vector<CheckpointFile> files;
    const std::string name = archive.path;
    files.push_back(std::move(archive));
    std::vector<Moved> moved;
    std::vector<std::string> paths;
    for (CheckpointFile& file : data.files) {
        paths.push_back(file.path);
        const auto member = placeInArchive(file);
        moved.push_back({FileIndex(member ? 0 : files.size()), member});
        if (!member) {
            files.push_back(std::move(file));
        }
    }
    data.files = std::move(files);
    wrapCodecs(data, moved);
    for (TensorEntry& tensor : data.tensors) {
        tensor.pieces.eraseIf([&](Piece& piece) {
            const std::size_t old = piece.file.position();
            const bool fits = move(moved[old], piece.file, piece.bytes);
            if (!fits) {
                data.notices.push_back(
                    {Severity::Error, fail(ErrorCode::Truncated, "A member ends before its items")
                                          .inFile(name)
                                          .inField(paths[old])
                                          .inTensor(tensor.name)});
                data.completeness = Completeness::Incomplete;
            }
            return !fits;
        });
    }
    std::erase_if(data.checksums, [&](StoredChecksum& checksum) {
        return !move(moved[checksum.file.position()], checksum.file, checksum.bytes);
    });
    std::erase_if(data.digests, [&](StoredDigest& digest) { // these are digests of complete files
        const Moved& to = moved[digest.file.position()];
        digest.file = to.file;
        return to.member.has_value();
    });
}

} // namespace cairn::formats
