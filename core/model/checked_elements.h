// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn {

/// How the elements of a tensor compare with the checksums of the records that contain them.
enum class ElementProof : std::uint8_t {
    Compared,   ///< all of them match
    OfValues,   ///< read together with the plain values, whose records count
    Later,      ///< in a record larger than kMostCompared, which `check` compares
    NoChecksum, ///< some are in a record without a checksum
};

struct CheckedElements {
    std::vector<std::byte> bytes;
    ElementProof proof = ElementProof::NoChecksum; ///< the weakest of the pieces
};

inline constexpr std::uint64_t kMostCompared = std::uint64_t{1} << 20U;

/// Reads a small tensor completely, as readComplete(), and compares the records with its elements.
/// Fails also with BadChecksum, with the file, offset and record.
Result<CheckedElements> readChecked(const Checkpoint& checkpoint, const TensorEntry& tensor,
                                    std::uint64_t limit);

/// Compares a stored checksum; false: its writer did not compute it. Fails: BadChecksum, Cancelled,
/// and the errors of reading.
Result<bool> compareChecksum(const Checkpoint& checkpoint, const StoredChecksum& stored,
                             const CancelToken& cancel = {});

} // namespace cairn
