// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/io/folder.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Files that are inside another file (members of a tar archive), looked up as if they had been
/// unpacked into a folder. Nothing is unpacked: an opened member is a window of the whole.
namespace cairn {

struct FolderMember {
    std::string name; ///< with '/' between its parts
    ByteRange bytes;  ///< in the whole
};

/// The folder's own type, so that the owner of a Folder can find its files in the archive.
/// Names never reach the kernel: a name with ".." among its parts is missing. Safe from any thread;
/// immutable.
class MemberFolder : public Folder {
public:
    /// Where a file is in the archive; nothing: it is missing. Its FolderEntry and its source
    /// have the same identity: the archive's, with the member's size.
    virtual std::optional<ByteRange> placeOf(std::string_view relative) const = 0;

protected:
    using Folder::Folder;
};

/// A window of the whole as a file of its own. Its identity is the whole's with the window's size,
/// and an inode that is made of the place, so that two members are never taken for one. REQUIRES:
/// bytes.fitsInto(whole->size()).
ByteSourcePtr makeMemberSource(ByteSourcePtr whole, ByteRange bytes, std::string name);

/// REQUIRES: each range fits into `whole`. Of two members with one name the later one counts.
/// `path`: for messages.
FolderPtr makeMemberFolder(ByteSourcePtr whole, std::span<const FolderMember> members,
                           std::filesystem::path path);

} // namespace cairn
