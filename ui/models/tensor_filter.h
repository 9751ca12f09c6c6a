// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_table.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace cairn::ui {

/// What is typed into the filter field, taken apart:
///   attn weight       names that contain every word, in any order; case does not matter
///   -bias             but not this one
///   layers.*.q_proj.weight   * ? and {a,b}: matches from the start of a part of the name to the
///   name's end
///   dtype:bf16        of this dtype; "bf16" and the like are aliases of torch's names
///   role:weight,buffer   of one of these roles
///   /q_proj|k_proj/   one regular expression over the full name; the second slash may be left out
/// Runs in a worker. Returns natural ranks, ascending. Fails: InvalidArgument with PCRE's message
/// when the regular expression is wrong, Cancelled.
Result<std::vector<std::uint32_t>> filterTensors(const TensorTable& table, const QString& text,
                                                 const CancelToken& cancel);

} // namespace cairn::ui
