// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "core/io/folder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// TensorStore's OCDBT (Optionally-Cooperative Distributed B+tree): keys and values, as a folder.
/// Source: tensorstore/kvstore/ocdbt/index.rst and what tensorstore 0.1.86 writes. See README.md.
namespace cairn::ocdbt {

/// A file of the store, relative to the folder that was given.
struct File {
    std::string path;
    FileIdentity identity; ///< zero when only values point to it and it was not opened here
    bool opened = false;
};

/// Where a value is: in the tree itself, or in a file.
struct ValueRef {
    bool isInline = false;
    std::span<const std::byte> bytes; ///< inline: valid during the call
    std::uint32_t file = 0;           ///< else: into Store::files
    ByteRange range;
};

struct Store {
    std::vector<File> files; ///< manifests, tree nodes and files of values, in order of first use
    std::uint64_t keys = 0;
    std::uint64_t generation = 0; ///< of the version that was read; 0 for an empty store
};

struct Limits {
    std::uint64_t maxNodeBytes = std::uint64_t{48} << 20U; ///< of one decoded node
    std::uint64_t maxRatio = 400; ///< decoded : stored, beyond the first MiB of a node
    std::uint64_t maxNodes = 1'000'000;
    std::uint64_t maxKeys = 20'000'000;
    std::uint64_t maxKeyBytes = std::uint64_t{256} << 20U; ///< of all keys spelt out
};

/// Called for each key in rising order (bytewise). The key is valid during the call.
using Visitor = std::function<Result<void>(std::string_view key, const ValueRef& value)>;

/// Reads the newest version of the store whose `manifest.ocdbt` is in `folder` + `base` ("" or
/// "ocdbt.process_0/"). All names are resolved beneath `folder`. No recursion; each node is read
/// once, its checksum verified. Memory: one node and the places of the nodes still to be read.
/// `store` is filled as far as the reading went, also when it fails.
/// Fails: NotFound (no manifest), OcdbtBadManifest, OcdbtBadNode, BadChecksum, Truncated,
/// BadEncoding, LimitExceeded, Unsupported, MissingShard (a node's file), Cancelled, and what the
/// visitor states.
Result<void> readStore(const Folder& folder, std::string_view base, Store& store,
                       const Visitor& visitor, const CancelToken& cancel,
                       const Limits& limits = {});

} // namespace cairn::ocdbt
