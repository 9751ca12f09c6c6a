// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/safetensors/safetensors_header.h"

#include <optional>
#include <span>

/// The reference reader's rules on the header's content. Private to this folder.
namespace cairn {

/// Caches the last dtype lookup; neighbours usually have the same dtype.
struct SafetensorsDtypeCache {
    std::string_view name;
    std::optional<Dtype> dtype;
};

/// Sets dtype, shape and `sound` of a tensor whose offsets are set. Returns an error if the entry
/// is invalid (the tensor stays listed, but is not sound), or if its dtype is unknown (it stays
/// readable as opaque bytes).
std::optional<Error> assessSafetensorsTensor(SafetensorsTensor& tensor, std::string_view dtype,
                                             std::span<const std::int64_t> shape,
                                             std::uint64_t dataSize, SafetensorsDtypeCache& cache);

/// Rules about all tensors together: unique names, no overlaps or holes, and exactly the bytes that
/// the tensors need. O(n log n).
void checkSafetensorsRules(SafetensorsHeader& header, const ByteSource& source);

/// Adds a notice whose severity follows from the code; an empty `tensor` means the entire file.
void noteSafetensors(SafetensorsHeader& header, const ByteSource& source, std::string_view tensor,
                     Error error);

} // namespace cairn
