// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/io/folder.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Files inside another file (members of a tar archive), as if they had been unpacked into a
/// folder. Nothing is unpacked: an opened member is a range of the archive.
namespace cairn {

struct FolderMember {
    std::string name; ///< components separated by '/'
    ByteRange bytes;  ///< in the archive
};

/// A separate type, so that the owner of a Folder can locate its files in the archive. Names never
/// reach the kernel: a name with ".." components does not exist. Any thread; immutable.
class MemberFolder : public Folder {
public:
    /// Location of a file in the archive; empty: missing. Its FolderEntry and its source have the
    /// same identity: the archive's, with the member's size.
    virtual std::optional<ByteRange> placeOf(std::string_view relative) const = 0;

protected:
    using Folder::Folder;
};

/// A range of the archive as a separate file. Its identity is the archive's, with the range's size
/// and an inode that is computed from its offset, so that two members never have the same identity.
/// REQUIRES: bytes.fitsInto(whole->size()).
ByteSourcePtr makeMemberSource(ByteSourcePtr whole, ByteRange bytes, std::string name);

/// REQUIRES: each range fits into `whole`. If two members have the same name, the later one is
/// used. `path`: for messages.
FolderPtr makeMemberFolder(ByteSourcePtr whole, std::span<const FolderMember> members,
                           std::filesystem::path path);

} // namespace cairn
