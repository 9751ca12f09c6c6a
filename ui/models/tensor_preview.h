// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <QString>

#include <vector>

namespace cairn::ui {

/// The first few elements of a tensor as text: a corner of its last two dimensions.
struct TensorPreview {
    static constexpr std::int64_t kRows = 8;
    static constexpr std::int64_t kColumns = 6;

    int rows = 0;
    int columns = 0;
    bool moreRows = false;
    bool moreColumns = false;
    std::vector<QString> cells; ///< rows * columns, C order; floats as torch prints tensors: four
                                ///< decimals, or exponents when their magnitudes differ too much
    std::vector<QString> exact; ///< the same with every digit
    QString where; ///< the slice in Python syntax: "[0, :8, :6]"; empty for a scalar; and what a
                   ///< tensor of a quantised weight is

    const QString& cell(int row, int column) const {
        return cells[static_cast<std::size_t>(row * columns + column)];
    }
};

/// Reads only the corner, of a quantised weight its numbers (analysis/weight_values.h); a vector is
/// wrapped into rows. Runs on a worker. Fails: Unsupported for
/// dtypes whose elements are smaller than a byte, and as TensorReader.
Result<TensorPreview> readPreview(const CheckpointPtr& checkpoint, TensorIndex tensor,
                                  const CancelToken& cancel);

} // namespace cairn::ui
