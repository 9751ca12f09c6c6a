// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_table.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// The text of the filter field, parsed:
Result<std::vector<std::uint32_t>> filterTensors(const TensorTable& table, const QString& text,
                                                 const CancelToken& cancel);

} // namespace cairn::ui
