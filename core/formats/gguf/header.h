// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/gguf/metadata.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::gguf {

/// The header of a file, without its tensor infos.
struct Header {
    std::uint32_t version = 0;
    bool bigEndian = false;
    std::uint64_t tensorCount = 0;
    std::uint64_t metadataBytes = 0;
    std::uint32_t alignment = 32;
    std::vector<MetaItem> items;               ///< each key once; of repeated keys the first
    std::string architecture;                  ///< general.architecture
    std::optional<std::uint64_t> splitNumber;  ///< split.no, from 0
    std::optional<std::uint64_t> splitCount;   ///< split.count
    std::optional<std::uint64_t> splitTensors; ///< split.tensors.count, of all files together
    std::vector<Notice> notices;
};

/// True if `head` begins a ggml container from before GGUF.
bool isOldContainer(std::string_view head);

/// Reads up to the tensor infos and leaves the cursor at the first of them. Fails: GgufBadHeader,
/// GgufBadMetadata, Unsupported (an unknown version or dialect), Truncated, LimitExceeded,
/// Cancelled.
Result<Header> readHeader(HeaderCursor& cursor, const CancelToken& cancel);

/// Reads the metadata again from `source` as values under their keys.
Result<Value> readMetadata(const ByteSourcePtr& source, const Header& header,
                           const CancelToken& cancel);

} // namespace cairn::formats::gguf
