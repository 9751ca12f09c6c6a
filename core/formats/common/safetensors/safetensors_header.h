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

/// The header of a safetensors file or blob. Source: the format's README and the reference reader
/// (safetensors 0.8, `tensor.rs`); `core/formats/safetensors/README.md` has the byte map.
namespace cairn {

/// Largest header that the reference reader accepts.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsTensor {
    std::string_view name;       ///< valid as long as the header
    Dtype dtype = Dtype::Opaque; ///< Opaque with shape [bytes] if the dtype's name is unknown
    bool sound = false; ///< the byte range has the shape's size; in a truncated file it may be
                        ///< beyond the end
    Shape shape;
    std::uint64_t begin = 0; ///< relative to SafetensorsHeader::dataStart
    std::uint64_t end = 0;
};

/// Everything except the tensors' elements. A value; copies share the text.
struct SafetensorsHeader {
    std::uint64_t dataStart = 0; ///< 8 + header length, from the source's first byte
    std::uint64_t dataSize = 0;  ///< actual bytes after the header
    /// In header order. If a name occurs twice, only the last one, as in the reference reader.
    std::vector<SafetensorsTensor> tensors;
    std::vector<std::pair<std::string, std::string>> metadata; ///< `__metadata__`, in file order
    /// Every violated rule: invalid JSON types, bad shapes or offsets, size mismatches, overlaps,
    /// holes, trailing or missing bytes, unknown dtypes, repeated names. At most kMaxNotices.
    std::vector<Notice> notices;
    bool damaged =
        false; ///< a tensor cannot be read, or two readers would interpret the file differently
    static constexpr std::size_t kMaxNotices = 200;
    static constexpr std::size_t kMaxMetadata =
        200'000; ///< further entries are skipped with a notice

    std::shared_ptr<const void> text; ///< owns the names

    /// The value of a metadata key, or an empty text.
    [[nodiscard]] std::string_view find(std::string_view key) const;
};

/// Reads and checks the header of safetensors data that fills `source` (a slice, for a blob). Costs
/// two reads. Fails if the header cannot be read at all: Truncated, SafetensorsHeaderTooLarge,
/// SafetensorsBadHeader (not a JSON object), BadEncoding, Io; everything else becomes a notice.
Result<SafetensorsHeader> readSafetensorsHeader(const ByteSource& source);

} // namespace cairn
