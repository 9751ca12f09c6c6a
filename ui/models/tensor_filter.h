// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_table.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// What is typed into the filter field: the language of core/base/row_filter.h over the columns of
/// core/model/tensor_columns.h, or a "/regular expression/" over the names.
///
/// Natural ranks of the tensors that match, ascending. `within`: ranks of a filter that this one
/// narrows; only they are searched. Fails with InvalidArgument for an invalid filter, or Cancelled.
Result<std::vector<std::uint32_t>>
filterTensors(const TensorTable& table, const QString& text, const CancelToken& cancel,
              const std::vector<std::uint32_t>* within = nullptr);

/// Every tensor that `text` selects, `wider` selects too.
bool filterNarrows(const QString& text, const QString& wider);

} // namespace cairn::ui
