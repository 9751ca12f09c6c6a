// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace cairn::formats::deepspeed {

/// Whether a master is that of a copy: after each step the copy is the master, rounded to the
/// nearest (to even) where it has 16 bits, so that a copy of another save, or of another parameter,
/// contradicts it. Reads all of small tensors, the first and the last elements of others. One
/// thread.
class RoundingCheck {
public:
    enum class Verdict : std::uint8_t { Same, Different, NotCompared };

    /// `data` must outlive this; files and codecs may be added to it meanwhile.
    explicit RoundingCheck(const CheckpointData& data) : m_data(data) {}

    /// REQUIRES: both are in files of `data`. Different is sure; NotCompared: nothing is known
    /// (other dtypes, holes, a file that cannot be read, too much).
    Verdict compare(const TensorEntry& master, const TensorEntry& copy);

    static constexpr std::uint64_t kFew = 32;    ///< elements that are read first
    static constexpr std::uint64_t kEdge = 1024; ///< elements at either end
    static constexpr std::uint64_t kMaxRead = std::uint64_t{128} << 20U;

private:
    Verdict compareRange(const TensorEntry& master, const TensorEntry& copy, std::uint64_t first,
                         std::uint64_t count);
    const Checkpoint& files();

    const CheckpointData& m_data;
    CheckpointPtr m_files; ///< those of the data, to read from
    std::uint64_t m_read = 0;
};

/// A weight, and the copy beside it that is not its very bytes: both of one CheckpointData.
using WeightAndCopy = std::pair<TensorIndex, TensorIndex>;

/// Model states and optimizer states are of one save: adds damage if masters do not round to their
/// copies, or have another shape. Examines a few of each two files.
void checkCopies(CheckpointData& data, const std::vector<WeightAndCopy>& copied);

/// Whether `master` rounds to the element, of float16 or bfloat16. Pure.
bool roundsTo(float master, Dtype dtype, std::uint16_t element);

} // namespace cairn::formats::deepspeed
