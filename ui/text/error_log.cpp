// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/error_log.h"

#include <algorithm>
#include <mutex>

namespace cairn::ui::text {
namespace {

struct Log {
    std::mutex mutex;
    std::vector<LoggedError> errors; ///< guarded by mutex
};

Log& theLog() {
    static Log log;
    return log;
}

} // namespace

void logError(const Error& error) {
    if (error.code == ErrorCode::Cancelled) {
        return; // what the user wanted
    }
    Log& log = theLog();
    const std::scoped_lock lock(log.mutex);
    const QDateTime now = QDateTime::currentDateTime();
    const auto known = std::ranges::find_if(log.errors, [&](const LoggedError& each) {
        return each.error.code == error.code && each.error.message == error.message &&
               each.error.where.file == error.where.file &&
               each.error.where.tensor == error.where.tensor;
    });
    if (known != log.errors.end()) {
        known->last = now;
        ++known->times;
        std::rotate(known, known + 1, log.errors.end());
        return;
    }
    if (log.errors.size() >= kLoggedErrors) {
        log.errors.erase(log.errors.begin());
    }
    log.errors.push_back({error, now, now, 1});
}

std::vector<LoggedError> loggedErrors() {
    Log& log = theLog();
    const std::scoped_lock lock(log.mutex);
    return log.errors;
}

} // namespace cairn::ui::text
