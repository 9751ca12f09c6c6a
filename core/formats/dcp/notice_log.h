// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <map>
#include <vector>

/// Private to this folder.
namespace cairn::formats::dcp {

/// Notices in order, at most kMaxOfAKind of each code: a damaged index of a large model could cause
/// millions. A value; not thread-safe.
class NoticeLog {
public:
    static constexpr std::uint64_t kMaxOfAKind = 20;
    void add(Severity severity, Error error);

    /// The two halves of add(), for callers that need not build an Error if it would be dropped
    /// (false).
    bool count(ErrorCode code);
    void addCounted(Severity severity, Error error);

    /// The kept notices, and one sentence for each code that had more.
    std::vector<Notice> take() &&;

private:
    std::vector<Notice> m_notices;
    std::map<ErrorCode, std::uint64_t> m_counts;
};

} // namespace cairn::formats::dcp
