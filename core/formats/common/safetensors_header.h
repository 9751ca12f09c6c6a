// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "core/model/tensor_entry.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The header of a safetensors file or blob. Source: the format's own README and the reference
/// reader (safetensors 0.8, `tensor.rs`); `core/formats/safetensors/README.md` has the byte map.
namespace cairn {

/// Largest header that the reference reader takes.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsTensor {
    std::string_view name;       ///< lives as long as the header
    Dtype dtype = Dtype::Opaque; ///< Opaque with shape [bytes] if the dtype's name is unknown
    bool sound =
        false; ///< the byte range has the shape's size; it may be beyond a cut-off file's end
    Shape shape;
    std::uint64_t begin = 0; ///< bytes, from SafetensorsHeader::dataStart
    std::uint64_t end = 0;
};

/// Everything but the tensors' elements. A value; copies share the text.
struct SafetensorsHeader {
    std::uint64_t dataStart = 0; ///< 8 + header length, from the source's first byte
    std::uint64_t dataSize = 0;  ///< bytes after the header that exist
    /// In header order. Of a name that exists twice only the last, as the reference reader has
    /// it.
    std::vector<SafetensorsTensor> tensors;
    std::vector<std::pair<std::string, std::string>> metadata; ///< `__metadata__`, in file order
    /// Every broken rule: JSON of the wrong kind, bad shapes or offsets, size mismatches, overlaps,
    /// holes, trailing or missing bytes, unknown dtypes, repeated names. At most kMaxNotices.
    std::vector<Notice> notices;
    bool damaged = false; ///< some tensor cannot be read, or two readers would see different ones
    static constexpr std::size_t kMaxNotices = 200;
    static constexpr std::size_t kMaxMetadata = 200'000; ///< further entries are noted and left out

    std::shared_ptr<const void> text; ///< owns the names

    /// The value of a metadata key, or an empty text.
    [[nodiscard]] std::string_view find(std::string_view key) const;
};

/// Reads and checks the header of the safetensors data that fill `source` (a slice, for a blob).
/// Costs two reads. Fails when no header can be read at all: Truncated, SafetensorsHeaderTooLarge,
/// SafetensorsBadHeader (no JSON object), BadEncoding, Io; everything else is a notice.
Result<SafetensorsHeader> readSafetensorsHeader(const ByteSource& source);

} // namespace cairn
