// SPDX-License-Identifier: Apache-2.0
#include "core/formats/nemo/members.h"

#include "core/io/member_folder.h"

#include <optional>
#include <utility>

namespace cairn::formats::nemo {
namespace {

/// What became of one file of the list.
struct Moved {
    FileIndex file;
    std::optional<ByteRange> member; ///< its place in the archive; nothing: it is no member
};

std::optional<ByteRange> placeInArchive(const CheckpointFile& file) {
    const auto* folder = dynamic_cast<const MemberFolder*>(file.folder.get());
    return folder == nullptr || file.source != nullptr
               ? std::nullopt
               : folder->placeOf(file.openAs.empty() ? file.path : file.openAs);
}

/// False: the range is not within its file.
bool move(const Moved& moved, FileIndex& file, ByteRange& bytes) {
    file = moved.file;
    if (!moved.member) {
        return true;
    }
    const bool fits = bytes.fitsInto(moved.member->length);
    bytes.offset += fits ? moved.member->offset : 0;
    return fits;
}

} // namespace

FolderPtr folderOf(ByteSourcePtr source, const TarIndex& index, std::filesystem::path path) {
    std::vector<FolderMember> members;
    members.reserve(index.members.size());
    for (const TarMember& member : index.members) {
        members.push_back({member.name, member.bytes});
    }
    return makeMemberFolder(std::move(source), members, std::move(path));
}

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
    for (TensorEntry& tensor : data.tensors) {
        std::erase_if(tensor.pieces, [&](Piece& piece) {
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
    std::erase_if(data.digests, [&](StoredDigest& digest) { // of whole files
        const Moved& to = moved[digest.file.position()];
        digest.file = to.file;
        return to.member.has_value();
    });
}

} // namespace cairn::formats::nemo
