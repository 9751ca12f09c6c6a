// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file_mapping.h"
#include "core/model/checkpoint.h"
#include "core/model/tensor_reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn {

/// What of a tensor can be examined where it is in the page cache, without copying: runs of its
/// dense form that are stored as they are. Small tensors have none. Immutable; any thread.
class WarmTensor {
public:
    /// Of the tensor that `reader` reads.
    WarmTensor(const TensorEntry& tensor, const TensorReader& reader);

    /// Bytes [first, first + length) of the dense form, to be touched inside
    /// FileMapping::guarded() only, or nothing: read them.
    [[nodiscard]] std::span<const std::byte> view(std::uint64_t first, std::size_t length) const;

    /// Asks the kernel for what of bytes [first, first + length) is cold: several threads that read
    /// one file, or one that reads two in turns, look like random access to it.
    void willRead(std::uint64_t first, std::uint64_t length) const;

private:
    static constexpr std::uint64_t kSmall = std::uint64_t{4} << 20U; ///< not worth a mapping

    struct Run {
        std::uint64_t first = 0; ///< in the dense form, in bytes
        std::uint64_t length = 0;
        std::uint64_t offset = 0; ///< in the file
        std::unique_ptr<FileMapping> mapping;
    };
    std::vector<Run> m_runs; ///< rising and apart
};

} // namespace cairn
