// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/compare/compare_summary.h"

#include <QString>

namespace cairn::ui {

/// "B is worse: eval_loss 1.146 against 0.928 (+23 %). Differs: lr 0.004 → 0.001", in the words of
/// the window; plain text.
QString summarySentence(const ComparisonSummary& summary);

} // namespace cairn::ui
