// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace cairn::ui {

/// Item data roles of tensor and value rows in addition to Qt's; RowDelegate uses them.
struct RowRoles {
    enum Role : int {
        Tensor =
            Qt::UserRole, ///< uint, position in Checkpoint::tensors(); invalid for everything else
        FullName,         ///< QString, dotted name exactly as stored
        Count,            ///< qulonglong, tensors below a group; invalid for others
        Dim,              ///< bool, the text is secondary
        Warning,          ///< bool, the text reports that something is missing
        Match,            ///< bool, found by the search
        Sentence,         ///< bool, the text is shortened at its end, not in the middle
        DimPrefix,        ///< int, that many characters of the text are secondary
        CopyText,  ///< QString, the text for copying of a model that keeps its texts; invalid: the
                   ///< shown one, which is asked for with text::ProgramNumbers
        SortValue, ///< double or QString that the row is sorted by; invalid: last
    };
};

} // namespace cairn::ui
