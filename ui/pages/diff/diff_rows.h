// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diff_answer.h"
#include "ui/models/row_sort.h"
#include "ui/pages/diff/diff_document.h"
#include "ui/pages/diff/equality.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::ui {

/// Columns of the tree of two checkpoints.
enum class DiffColumn : std::uint8_t { Name, Left, Right, Relative, MaxAbs, Changed };

/// Which nodes of a document's tree are listed, and where. Immutable once published.
struct DiffRows {
    DiffDocumentPtr document;
    std::vector<std::vector<std::uint32_t>> children; ///< by node; empty for hidden ones
    std::vector<int> row;                             ///< of a node below its parent
    std::vector<std::uint8_t> differs;                ///< by node: a tensor that is not equal
    std::size_t tensors = 0;                          ///< that are listed
    std::size_t differing = 0;                        ///< of all, listed or not
    Equality equality;
    DiffAnswer answer; ///< of all, too

    /// The listed tensors from the first to the last row, as if all modules were expanded, in equal
    /// parts: at most kMostParts.
    struct Part {
        std::uint32_t most = 0; ///< the tensor that changed most: its node
        double change = 0;      ///< its relative change, 0 to 1 of the largest one that is listed
        bool differs = false;
    };
    std::vector<Part> parts;
    std::vector<std::uint32_t> partOf; ///< by node: the part of a listed tensor
    static constexpr std::size_t kMostParts = 200;

    struct Request {
        /// In the language of row_filter.h. Columns: those of tensors (of A where it has the
        /// tensor), and change (relative), max (largest absolute difference), changed (share of the
        /// elements, 0 to 1), kind (same, changed, added, removed, unread).
        QString filter;
        bool onlyDifferent = true;
        Equality equality;
        RowSort sort = {}; ///< by DiffColumn; natural: the most changed first
    };
    /// In a worker; O(nodes), and sorting. Fails: Cancelled; InvalidArgument for the filter.
    static Result<std::shared_ptr<const DiffRows>>
    make(DiffDocumentPtr document, const Request& request, const CancelToken& cancel);
};
using DiffRowsPtr = std::shared_ptr<const DiffRows>;

} // namespace cairn::ui
