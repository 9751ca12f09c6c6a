// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_arrangement.h"

#include <span>

namespace cairn::ui {

/// The module tree of the tensors with these natural ranks (ascending). In depth-first order,
/// parents before children; `parent` is set, `row`, `firstChild` and `childCount` are not. Folded,
/// sums rolled up. Fails: Cancelled.
Result<std::vector<TensorArrangement::Node>> buildTree(const TensorTable& table,
                                                       std::span<const std::uint32_t> ranks,
                                                       const CancelToken& cancel);

/// The tree that buildTree() and laying out in natural order make of these tensors, taken out of
/// one in natural order that has all of them, which costs a third. Where names mix '.' and '/',
/// groups that the filter left apart are not joined. Fails: Cancelled.
Result<std::vector<TensorArrangement::Node>> pruneTree(const TensorArrangement& tree,
                                                       std::span<const std::uint32_t> ranks,
                                                       const CancelToken& cancel);

/// The node of a single tensor.
TensorArrangement::Node leafNode(const TensorTable& table, std::uint32_t tensor);

} // namespace cairn::ui
