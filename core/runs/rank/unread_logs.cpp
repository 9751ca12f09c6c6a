// SPDX-License-Identifier: Apache-2.0
#include "core/runs/rank/unread_logs.h"

#include <algorithm>
#include <vector>

namespace cairn {

Sentence unreadLogs(const RunHistory& history) {
    const auto limited = [](const std::vector<Notice>& notices) -> const Notice* {
        const auto at = std::ranges::find_if(notices, [](const Notice& notice) {
            return notice.error.code == ErrorCode::LimitExceeded &&
                   notice.error.where.field != "settings";
        });
        return at != notices.end() ? &*at : nullptr;
    };
    const Notice* found = limited(history.warnings);
    for (const HistorySource& source : history.sources) {
        found = found == nullptr ? limited(source.warnings) : found;
    }
    return found == nullptr
               ? Sentence()
               : sentence("the logs were not read completely: %1", found->error.message);
}

} // namespace cairn
