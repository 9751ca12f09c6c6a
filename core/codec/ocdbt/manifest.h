// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/ocdbt/cursor.h"

#include <optional>

/// Private to this folder.
namespace cairn::ocdbt {

/// A reference to a B-tree node that has not been read yet.
struct NodeRef {
    TableFile file;
    ByteRange range;
    std::uint8_t height = 0;
    std::string prefix; ///< common to all its keys
    std::uint64_t keys = 0;
};

struct Manifest {
    bool numbered = false; ///< the versions are in files manifest.<16 hex digits>
    std::uint64_t generation = 0;
    std::optional<NodeRef> root; ///< of the newest version; empty: the store is empty
};

/// Parses a manifest's body. Fails: OcdbtBadManifest, Unsupported.
Result<Manifest> parseManifest(std::span<const std::byte> body, std::string_view base);

} // namespace cairn::ocdbt
