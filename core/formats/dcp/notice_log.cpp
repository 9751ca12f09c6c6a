// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/notice_log.h"

#include <string>
#include <utility>

namespace cairn::formats::dcp {

void NoticeLog::add(Severity severity, Error error) {
    if (count(error.code)) {
        m_notices.push_back({severity, std::move(error)});
    }
}

bool NoticeLog::count(ErrorCode code) {
    return ++m_counts[code] <= kMaxOfAKind;
}

void NoticeLog::addCounted(Severity severity, Error error) {
    m_notices.push_back({severity, std::move(error)});
}

std::vector<Notice> NoticeLog::take() && {
    for (const auto& [code, count] : m_counts) {
        if (count > kMaxOfAKind) {
            const std::string more = std::to_string(count - kMaxOfAKind);
            m_notices.push_back(
                {Severity::Info, fail(code, sentence("And %1 more of this kind", more))});
        }
    }
    return std::move(m_notices);
}

} // namespace cairn::formats::dcp
