// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// The members of a tar archive as ranges of the file. README.md has the layout.
/// Source: POSIX.1-2001 pax, section "ustar Interchange Format"; GNU tar manual, "Basic Tar
/// Format".
namespace cairn {

struct TarMember {
    std::string name; ///< as stored, without a leading "./"
    ByteRange bytes;  ///< of the content
};

struct TarIndex {
    std::vector<TarMember> members;
    bool ended = false; ///< the zero blocks at the end exist: the archive is not truncated between
                        ///< two members
};

/// True if `head` is the first header of a tar archive: its checksum is right. REQUIRES: at least
/// 512 bytes.
bool looksLikeTar(std::span<const std::byte> head);

/// Regular files, in file order; a name may occur twice (the later one is valid, as when tar
/// unpacks). Reads one block for each member. Fails: BadIndex, Truncated, LimitExceeded,
/// Unsupported, Io.
Result<TarIndex> indexTar(const ByteSource& source);

} // namespace cairn
