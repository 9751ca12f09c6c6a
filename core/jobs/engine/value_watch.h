// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/compute/element_statistics.h"
#include "core/jobs/engine/output_parts.h"
#include "core/plan/copy_plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace cairn {

/// Looks for NaN, infinities and zeros in the weights of an output while it is read back, if the
/// plan refuses them (CopyPlan::refusesBadValues). Any thread.
class ValueWatch {
public:
    ValueWatch(const CopyPlan& plan, std::span<const FileParts> files);

    /// Bytes of one file from `offset` on. Every byte is given once, in any order.
    void add(std::size_t file, std::uint64_t offset, std::span<const std::byte> bytes);

    /// After all bytes of the selected files. Fails with NonFinite, and names the tensor: a weight
    /// has NaN, or infinities other than those of a mask of zeros and -inf. Fails with
    /// VerifyMismatch if all files are selected and all weights are zero.
    Result<void> finish(const std::vector<bool>& selected) const;

private:
    struct Counts {
        std::uint64_t count = 0;
        std::uint64_t nan = 0;
        std::uint64_t inf = 0;
        std::uint64_t zeros = 0;
    };
    /// An element of which two calls have a part each.
    struct Split {
        std::array<std::byte, 16> bytes{};
        std::size_t known = 0;
    };
    void addElements(std::size_t file, std::size_t segment, std::span<const std::byte> bytes);
    void addSplit(std::size_t file, std::size_t segment, std::uint64_t element, std::size_t at,
                  std::span<const std::byte> bytes);
    [[nodiscard]] bool isWatched(const TensorSegment& segment) const;

    const CopyPlan& m_plan;
    std::span<const FileParts> m_files;
    std::mutex m_mutex;                                              ///< guards the following
    std::vector<std::vector<Counts>> m_counts;                       ///< by file and segment
    std::map<std::pair<std::size_t, std::uint64_t>, Split> m_splits; ///< by file and offset
};

} // namespace cairn
