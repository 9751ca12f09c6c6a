// SPDX-License-Identifier: Apache-2.0
#include "core/codec/ocdbt/manifest.h"

#include <algorithm>

namespace cairn::ocdbt {
namespace {

constexpr std::size_t kUuid = 16;

Error badManifest(const Cursor& cursor, Sentence what) {
    return fail(ErrorCode::OcdbtBadManifest, "Invalid manifest")
        .at(cursor.position())
        .butFound(std::move(what));
}

struct Versions {
    std::vector<std::uint64_t> generation, height, file, offset, length, keys;
};

/// Reads the columns of a version tree's leaf.
Versions readVersions(Cursor& cursor) {
    Versions columns;
    const std::uint64_t count = cursor.varint();
    columns.generation = cursor.varints(count);
    for (const std::byte height : cursor.take(count)) {
        columns.height.push_back(std::to_integer<std::uint64_t>(height));
    }
    columns.file = cursor.varints(count);
    columns.offset = cursor.varints(count);
    columns.length = cursor.varints(count);
    columns.keys = cursor.varints(count);
    cursor.varints(count); // bytes of the tree's nodes
    cursor.varints(count); // bytes of indirect values
    for (std::size_t i = 0; i < columns.generation.size() && !cursor.failed(); ++i) {
        cursor.fixed64(); // commit time
    }
    return columns;
}

} // namespace

Result<Manifest> parseManifest(std::span<const std::byte> body, std::string_view base) {
    Cursor cursor(body);
    Manifest manifest;
    cursor.take(kUuid);
    const std::uint64_t kind = cursor.varint();
    cursor.varint(); // largest inline value
    cursor.varint(); // largest decoded node
    cursor.byte();   // arity of the version tree
    const std::uint64_t compression = cursor.varint();
    if (compression == 1) {
        cursor.take(4); // level
    }
    if (cursor.failed() || kind > 1 || compression > 1) {
        return badManifest(cursor, sentence("kind %1, compression %2", kind, compression));
    }
    manifest.numbered = kind == 1;
    if (manifest.numbered && cursor.remaining() == 0) {
        return manifest;
    }
    std::vector<TableFile> files;
    if (!readFileTable(cursor, base, files)) {
        return badManifest(cursor, "a malformed file table");
    }
    const Versions versions = readVersions(cursor);
    const std::uint64_t olderNodes = cursor.varint();
    if (cursor.failed()) {
        return badManifest(cursor, "a malformed version list");
    }
    if (versions.generation.empty()) {
        if (olderNodes > 0) {
            return fail(ErrorCode::Unsupported, "The manifest contains no version of its own")
                .at(cursor.position());
        }
        return manifest;
    }
    const auto newest = static_cast<std::size_t>(
        std::max_element(versions.generation.begin(), versions.generation.end()) -
        versions.generation.begin());
    manifest.generation = versions.generation[newest];
    const bool empty = versions.offset[newest] == kMissing && versions.length[newest] == kMissing;
    if (empty || versions.keys[newest] == 0) {
        return manifest;
    }
    if (versions.file[newest] >= files.size()) {
        return badManifest(cursor, "a file that is not in the table");
    }
    manifest.root = NodeRef{files[static_cast<std::size_t>(versions.file[newest])],
                            {versions.offset[newest], versions.length[newest]},
                            static_cast<std::uint8_t>(versions.height[newest]),
                            {},
                            versions.keys[newest]};
    return manifest;
}

} // namespace cairn::ocdbt
