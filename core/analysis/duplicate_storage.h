// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/duplicate_files.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

/// The part of duplicates.h that identifies the bytes of a tensor. Internal to core/analysis.
namespace cairn::duplicates {

/// Adds a number to a hash; the order counts.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t number);

/// Identifies the bytes of a tensor on the disk: their places in files, where copies of a file
/// count as the file in `represented`. Encoded tensors are identified by their item and the
/// tensor's name. `holder`: the number of the checkpoint.
std::uint64_t storageOf(const Checkpoint& checkpoint, const TensorEntry& tensor,
                        std::uint32_t holder, const std::map<FileId, FileId>& represented);

/// A hash of a few blocks of a large tensor; zero for small ones; empty if it can only be decoded
/// as a stream, or cannot be read.
std::optional<std::uint64_t> sampleOf(const Checkpoint& checkpoint, TensorIndex index);

/// Where a tensor is, if it is stored as one range of a file on a file system that can share
/// blocks; otherwise no source.
std::pair<ByteSourcePtr, ByteRange> storedRange(const Checkpoint& checkpoint,
                                                const TensorEntry& tensor);

} // namespace cairn::duplicates
