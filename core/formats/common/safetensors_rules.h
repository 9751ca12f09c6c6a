// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/safetensors_header.h"

#include <optional>
#include <span>

/// The reference reader's rules on the header's content. Private to this folder.
namespace cairn {

/// The last dtype that was looked up; neighbours mostly share it.
struct SafetensorsDtypeCache {
    std::string_view name;
    std::optional<Dtype> dtype;
};

/// Fills dtype, shape and `sound` of a tensor whose offsets are set; or states what is wrong (the
/// tensor then stays listed and is not sound), or that its dtype is unknown (it stays
/// readable as opaque bytes).
std::optional<Error> assessSafetensorsTensor(SafetensorsTensor& tensor, std::string_view dtype,
                                             std::span<const std::int64_t> shape,
                                             std::uint64_t dataSize, SafetensorsDtypeCache& cache);

/// The rules that concern all tensors together: unique names, no overlap, no hole, no byte more or
/// less than the tensors need. O(n log n).
void checkSafetensorsRules(SafetensorsHeader& header, const ByteSource& source);

/// Adds a notice whose severity follows from the code; an empty `tensor` is the entire file.
void noteSafetensors(SafetensorsHeader& header, const ByteSource& source, std::string_view tensor,
                     Error error);

} // namespace cairn
