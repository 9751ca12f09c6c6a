// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/formats/dcp/flatten.h"
#include "core/formats/dcp/shard_writer.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Private to this folder.
namespace cairn::formats::dcp {

/// One leaf as the index records it: a tensor's chunks, or the one item of a value.
struct IndexEntry {
    const Leaf* leaf = nullptr;
    const LayoutTensor* tensor = nullptr; ///< null: a value
    std::span<const StoredItem> chunks;
};

/// The bytes of `.metadata`. Every object is made by calling its class with the arguments that
/// torch 1.12 to 2.13 all take, instead of by its attributes, so that no reader misses a field of
/// another version. storage_meta is therefore left to its default, as torch's reader makes it up
/// anyway. `files`: what StoredItem::file numbers; a chunk's box is that of its segment.
std::vector<std::byte> writeIndex(std::span<const IndexEntry> entries,
                                  std::span<const OutputFile> files);

} // namespace cairn::formats::dcp
