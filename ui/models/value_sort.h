// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/models/row_sort.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace cairn::ui {

/// For each container of a tree of values, by its identity: the positions of its items as they are
/// shown, tensors after everything else.
using ValueOrders =
    std::unordered_map<const void*, std::shared_ptr<const std::vector<std::uint32_t>>>;
using ValueOrdersPtr = std::shared_ptr<const ValueOrders>;

/// In a worker; bounded by the distinct containers of the tree, however often they are shared.
/// `sort`: by ValueModel::Column; null for natural order. Fails: Cancelled.
Result<ValueOrdersPtr> orderValues(const Value& root, const CheckpointPtr& checkpoint, RowSort sort,
                                   const CancelToken& cancel);

} // namespace cairn::ui
