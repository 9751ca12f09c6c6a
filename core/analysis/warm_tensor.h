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

/// Parts of a tensor that can be processed directly in the page cache, without copying: raw runs of
/// its dense form. Not used for small tensors. Immutable; any thread.
class WarmTensor {
public:
    /// For the tensor that `reader` reads.
    WarmTensor(const TensorEntry& tensor, const TensorReader& reader);

    /// Bytes [first, first + length) of the dense form, to be accessed only inside
    /// FileMapping::guarded(); empty: read them instead.
    [[nodiscard]] std::span<const std::byte> view(std::uint64_t first, std::size_t length) const;

    /// Asks the kernel to read ahead the uncached part of bytes [first, first + length): several
    /// threads that read one file, or one that alternates between two, look like random access to
    /// it.
    void willRead(std::uint64_t first, std::uint64_t length) const;

private:
    static constexpr std::uint64_t kSmall = std::uint64_t{4}
                                            << 20U; ///< smaller ones are not worth a mapping

    struct Run {
        std::uint64_t first = 0; ///< offset in the dense form, in bytes
        std::uint64_t length = 0;
        std::uint64_t offset = 0; ///< in the file
        std::unique_ptr<FileMapping> mapping;
    };
    std::vector<Run> m_runs; ///< in ascending order, disjoint
};

} // namespace cairn
