// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::formats::deepspeed {

/// Whether a master matches a copy: after each step the 16-bit copy is the master rounded to
/// nearest (even), so that a copy from another save or of another parameter differs. Reads small
/// tensors completely, of others the first and last elements. Not thread-safe.
class RoundingCheck {
public:
    enum class Verdict : std::uint8_t { Same, Different, NotCompared };

    /// `data` must outlive this; files and codecs may be added to it meanwhile.
    explicit RoundingCheck(const CheckpointData& data) : m_data(data) {}

    /// REQUIRES: both are in files of `data`. Different is certain; NotCompared: unknown (other
    /// dtypes, holes, an unreadable file, too much data).
    Verdict compare(const TensorEntry& master, const TensorEntry& copy);

    /// Of the first and last kEdge elements of two float32 tensors of one shape: the norm of their
    /// difference, relative to that of `left`; not a number if one of them has NaN. Empty: not
    /// compared.
    std::optional<double> distance(const TensorEntry& left, const TensorEntry& right);

    static constexpr std::uint64_t kFew = 32;    ///< elements to read first
    static constexpr std::uint64_t kEdge = 1024; ///< elements to read at either end
    static constexpr std::uint64_t kMaxRead = std::uint64_t{128} << 20U;

private:
    Verdict compareRange(const TensorEntry& master, const TensorEntry& copy, std::uint64_t first,
                         std::uint64_t count);
    bool read(const TensorEntry& tensor, std::uint64_t first, std::span<std::byte> out);
    const Checkpoint& files();

    const CheckpointData& m_data;
    CheckpointPtr m_files; ///< the files of m_data, for reading
    std::uint64_t m_read = 0;
};

/// A weight, and a copy that does not share its bytes; both in one CheckpointData.
using WeightAndCopy = std::pair<TensorIndex, TensorIndex>;

/// Checks that model states and optimizer states are from one save: adds damage if masters do not
/// round to their copies, or have a different shape. Examines a few tensors of each pair of files.
void checkCopies(CheckpointData& data, const std::vector<WeightAndCopy>& copied);

/// A weight that was added before, and another master of the same name.
struct Repeated {
    TensorIndex first;
    TensorEntry second;
};

/// Reports weights of which several pipeline stages have a copy, if these differ by more than the
/// order of sums explains. DeepSpeed keeps them equal: it broadcasts the first stage's weights and
/// adds up the gradients of all stages.
void checkShared(CheckpointData& data, const std::vector<Repeated>& repeated);

/// Whether `master` rounds to a float16 or bfloat16 element. Pure.
bool roundsTo(float master, Dtype dtype, std::uint16_t element);

} // namespace cairn::formats::deepspeed
