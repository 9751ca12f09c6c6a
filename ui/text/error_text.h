// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/plan/copy_plan.h"

#include <QString>

/// An Error as the window shows it: title (what happened), why (where, found, expected, what it
/// means, what to do). The core's message is the title. All plain
/// text.
namespace cairn::ui::text {

struct ErrorWords {
    QString title;
    QString detail;
};

ErrorWords describe(const Error& error);
ErrorWords describe(const PlanProblem& problem);

/// What can be offered beside an error; the shell turns it into a button.
enum class Remedy { None, Retry, ChooseOtherFolder, CopyChmod, ShowReadable, ShowNotices };
Remedy remedy(ErrorCode code);

/// What the code means for the user, one sentence; empty where the message suffices.
QString meaning(ErrorCode code);

} // namespace cairn::ui::text
