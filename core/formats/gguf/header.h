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

/// What the start of a file states, besides its tensors.
struct Header {
    std::uint32_t version = 0;
    bool bigEndian = false;
    std::uint64_t tensorCount = 0;
    std::uint64_t metadataBytes = 0;
    std::uint32_t alignment = 32;
    std::vector<MetaItem> items;               ///< each key once, the first
    std::string architecture;                  ///< general.architecture
    std::optional<std::uint64_t> splitNumber;  ///< split.no, from 0
    std::optional<std::uint64_t> splitCount;   ///< split.count
    std::optional<std::uint64_t> splitTensors; ///< split.tensors.count, of all files together
    std::vector<Notice> notices;
};

/// True when a file that begins so is a container of ggml from before GGUF.
bool isOldContainer(std::string_view head);

/// Reads up to the tensor infos; the cursor stands at the first of them then. Fails: GgufBadHeader,
/// GgufBadMetadata, Unsupported (a version or dialect that is not known), Truncated, LimitExceeded,
/// Cancelled.
Result<Header> readHeader(HeaderCursor& cursor, const CancelToken& cancel);

/// The metadata as values under their own keys, read again from `source`.
Result<Value> readMetadata(const ByteSourcePtr& source, const Header& header,
                           const CancelToken& cancel);

} // namespace cairn::formats::gguf
