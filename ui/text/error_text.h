// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/plan/copy_plan.h"

#include <QString>

/// An Error as the window shows it: title (the core's message) and detail (where, found, expected,
/// consequence, remedy). All plain text.
namespace cairn::ui::text {

struct ErrorWords {
    QString title;
    QString detail;
};

ErrorWords describe(const Error& error);
ErrorWords describe(const PlanProblem& problem);
/// Message, found and expected in one line, for a field in which something is being typed.
QString briefly(const Error& error);

/// An action that can be offered with an error; the shell turns it into a button.
enum class Remedy { None, Retry, ChooseOtherFolder, CopyChmod, ShowReadable, ShowNotices };
Remedy remedy(ErrorCode code);

/// The consequence for the user, one sentence; empty if the message suffices.
QString meaning(ErrorCode code);

} // namespace cairn::ui::text
