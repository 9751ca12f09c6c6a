// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QDateTime>

#include <vector>

namespace cairn::ui::text {

/// An error that was put into words for the user.
struct LoggedError {
    Error error;
    QDateTime first;
    QDateTime last;
    int times = 1;
};

inline constexpr std::size_t kLoggedErrors = 20;

/// For a problem report; kept in memory only. The same error again is counted. Any thread.
void logError(const Error& error);
/// The latest last.
std::vector<LoggedError> loggedErrors();

} // namespace cairn::ui::text
