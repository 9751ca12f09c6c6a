// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/tensor_entry.h"
#include "core/model/tensor_reader.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// Compares a tensor's elements, as they are read in C order, with the checksums stored in the
/// source's files: of the item that a codec located, or of the record of the file. Only for pieces
/// whose bytes are what the checksum covers, apart from a header before them (an array of an npz),
/// that are one run of the dense tensor (complete tensors and rows), and inside the part that is
/// read; columns, transformed elements and tensors that share a record are left to `check`, which
/// reads the records themselves. Not thread-safe.
class StoredChecksums {
public:
    /// `box`: the part of the tensor that is read; nothing is compared unless it consists of
    /// complete rows. `checkpoint`: of the tensor; not used after the constructor.
    StoredChecksums(const Checkpoint& checkpoint, const TensorEntry& tensor,
                    const TensorReader& reader, const Box& box);

    /// Adds the next bytes of the box's dense form; all of them must be passed, in order. Fails:
    /// BadChecksum with the file and the record's offset, once a piece is complete and differs.
    Result<void> add(std::span<const std::byte> bytes);

private:
    struct Run {
        std::uint64_t begin = 0; ///< offset in the dense tensor, in bytes
        std::uint64_t end = 0;
        std::uint32_t expected = 0;
        std::uint32_t (*update)(std::uint32_t, std::span<const std::byte>) = nullptr;
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
