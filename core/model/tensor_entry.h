// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/typed_index.h"
#include "core/model/dims.h"
#include "core/model/dtype.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The role of a tensor. `--only weights` selects Weight and Buffer.
enum class Role : std::uint8_t {
    Weight,
    Buffer,
    Optimizer,
    Ema,
    Scheduler,
    Rng,
    TrainingState,
    Other
};
std::string_view roleName(Role role); // "weight", "buffer", "optimizer", "ema", "scheduler", "rng",
                                      // "training_state", "other"

/// The evidence for a tensor's role.
enum class RoleBasis : std::uint8_t {
    Structure, ///< where it is: the container, what is beside it and in it
    Name,      ///< only a usual name, without further evidence
};

/// Position in Checkpoint's list of piece codecs; kRawCodec: the file holds the elements as they
/// are. As wide as a file's position: every piece may have a codec of its own, and a joined
/// checkpoint has those of all its members.
using CodecId = std::uint32_t;
inline constexpr CodecId kRawCodec = 0;

/// How stored elements are converted to logical ones, besides their location.
struct ElementFlags {
    bool swapBytes = false; ///< stored big-endian; per component of the dtype
    bool negate = false;    ///< torch's neg bit
    bool conjugate = false; ///< torch's conj bit
    friend bool operator==(const ElementFlags&, const ElementFlags&) = default;
    [[nodiscard]] bool any() const { return swapBytes || negate || conjugate; }
};

/// (box of the tensor) <-> (file, byte range, strides, codec): the placement map is made of these.
struct Piece {
    Box box;         ///< which elements of the tensor, in global coordinates
    FileIndex file;  ///< into Checkpoint::files()
    ByteRange bytes; ///< raw codec: first element to one past the last; else the stored item that
                     ///< the codec understands
    Strides strides; ///< raw codec, in elements, for the box's dimensions; empty = dense C order
    CodecId codec = kRawCodec;
    ElementFlags flags;
};

/// One complete logical tensor, independent of the number of shards.
struct TensorEntry {
    std::string name;
    Dtype dtype = Dtype::Float32;
    Shape shape;
    Role role = Role::Other;
    std::vector<Piece>
        pieces; ///< any order; may leave holes or overlap when the checkpoint is damaged
    std::optional<TensorIndex>
        aliasOf; ///< same bytes under another name (tied weights); pieces are filled all the same
    RoleBasis roleBasis = RoleBasis::Structure;

    /// Readers check that these do not overflow before they add an entry.
    [[nodiscard]] std::uint64_t elements() const { return elementCount(shape).value_or(0); }
    /// Of strings, whose elements have no one size: what the stored items take.
    [[nodiscard]] std::uint64_t bytes() const {
        return dtype == Dtype::String ? storedBytes() : dtypeBytes(dtype, elements()).value_or(0);
    }

private:
    [[nodiscard]] std::uint64_t storedBytes() const {
        std::uint64_t sum = 0;
        for (const Piece& piece : pieces) {
            sum = checkedAdd(sum, piece.bytes.length)
                      .value_or(std::numeric_limits<std::uint64_t>::max());
        }
        return sum;
    }
};

} // namespace cairn
