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

/// TensorStore's OCDBT (Optionally-Cooperative Distributed B+tree): a key-value store in a folder.
/// Source: tensorstore/kvstore/ocdbt/index.rst and what tensorstore 0.1.86 writes. See README.md.
namespace cairn::ocdbt {

/// A file of the store, relative to the folder passed to readStore().
struct File {
    std::string path;
    FileIdentity
        identity; ///< zero if the file is only referred to by values and was not opened here
    bool opened = false;
};

/// Location of a value: in the tree itself, or in a file.
struct ValueRef {
    bool isInline = false;
    std::span<const std::byte> bytes; ///< inline value, valid during the call
    std::uint32_t file = 0;           ///< otherwise: index in Store::files
    ByteRange range;
};

struct Store {
    std::vector<File> files; ///< manifests, tree nodes and value files, in order of first use
    std::uint64_t keys = 0;
    std::uint64_t generation = 0; ///< of the version that was read; 0 for an empty store
};

struct Limits {
    std::uint64_t maxNodeBytes = std::uint64_t{48} << 20U; ///< size of a decoded node
    std::uint64_t maxRatio = 400; ///< decoded : stored, beyond the first MiB of a node
    std::uint64_t maxNodes = 1'000'000;
    std::uint64_t maxKeys = 20'000'000;
    std::uint64_t maxKeyBytes = std::uint64_t{256}
                                << 20U; ///< total length of all keys, uncompressed
};

/// Called for each key in ascending bytewise order. The key is valid during the call.
using Visitor = std::function<Result<void>(std::string_view key, const ValueRef& value)>;

/// Reads the newest version of the store whose `manifest.ocdbt` is in `folder` + `base` ("" or
/// "ocdbt.process_0/"). All names are resolved beneath `folder`. No recursion; each node is read
/// once, its checksum verified. Memory: one node and the locations of the unread nodes. On failure
/// `store` holds what was read until then. Fails: NotFound (no manifest), OcdbtBadManifest,
/// OcdbtBadNode, BadChecksum, Truncated, BadEncoding, LimitExceeded, Unsupported, MissingShard (a
/// node's file), Cancelled, and the visitor's errors.
Result<void> readStore(const Folder& folder, std::string_view base, Store& store,
                       const Visitor& visitor, const CancelToken& cancel,
                       const Limits& limits = {});

} // namespace cairn::ocdbt
