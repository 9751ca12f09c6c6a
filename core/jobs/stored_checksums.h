// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/tensor_entry.h"
#include "core/model/tensor_reader.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// Compares a tensor's elements, as they pass by in C order, with the checksums that the source's
/// files store for them. Only for pieces whose stored bytes are one run of the dense tensor (whole
/// tensors and rows), stored as they are and wholly in what passes by; columns and transformed
/// elements are left to `check`, which reads the records themselves. One thread.
class StoredChecksums {
public:
    /// `box`: the part of the tensor that passes by; nothing is compared unless it is complete
    /// rows.
    StoredChecksums(const TensorEntry& tensor, const TensorReader& reader, const Box& box);

    /// The next bytes of the box's dense form; all of them must come, in order.
    /// Fails: BadChecksum, naming the file and the record's place, once a piece is complete and
    /// differs.
    Result<void> add(std::span<const std::byte> bytes);

private:
    struct Run {
        std::uint64_t begin = 0; ///< bytes of the dense tensor
        std::uint64_t end = 0;
        std::uint32_t expected = 0;
        std::uint32_t found = 0;
        std::uint64_t offset = 0; ///< in the file
        std::string file;
    };
    std::string m_tensor;
    std::vector<Run> m_runs; ///< ascending, not overlapping
    std::size_t m_current = 0;
    std::uint64_t m_at = 0;
};

} // namespace cairn
