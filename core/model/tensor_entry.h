// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/typed_index.h"
#include "core/model/dtype.h"
#include "core/model/piece.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

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

/// One complete logical tensor, independent of the number of shards.
struct TensorEntry {
    std::string name;
    Dtype dtype = Dtype::Float32;
    [[no_unique_address]] Shape shape;
    Role role = Role::Other;
    PieceList pieces; ///< any order; may leave holes or overlap when the checkpoint is damaged
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
