// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diff.h"

namespace cairn::ui {

/// When two tensors count as equal on the Diff page.
struct Equality {
    enum class Kind : std::uint8_t {
        Bits,      ///< same dtype, same bits
        AfterCast, ///< the same values once the wider float is cast to the narrower dtype
        Within     ///< every element within `rtol` of the right one, as torch.isclose
    };
    Kind kind = Kind::Bits;
    double rtol = 0;

    /// REQUIRES: of Kind::Within, `values` were compared with this tolerance.
    [[nodiscard]] bool holds(const TensorPair& pair, const PairDiff& values) const;
    friend bool operator==(const Equality&, const Equality&) = default;
};

} // namespace cairn::ui
