// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/finding_rules.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace cairn {

struct HealthReport {
    HealthVerdict verdict = HealthVerdict::Healthy;
    std::vector<Notice> findings; ///< worst first; at most kMaxFindings
    std::uint64_t checksums = 0;  ///< stored checksums that were compared
    std::uint64_t tensorsRead = 0;
    std::uint64_t bytesRead = 0;
    static constexpr std::size_t kMaxFindings = 10'000;
    /// Some finding is an error, which a script must not pass over. `strict`: or a warning.
    [[nodiscard]] bool failed(bool strict = false) const {
        return verdict >= (strict ? HealthVerdict::Warnings : HealthVerdict::Incomplete);
    }
};

struct HealthOptions {
    CancelToken cancel;
    bool readData = true;                           ///< false: index, sizes and names only
    std::atomic<std::uint64_t>* progress = nullptr; ///< bytes done so far are added to it
};

/// Searches for what goes wrong with checkpoints: missing and stray files, elements in no shard or
/// in two, extents beyond their file, stored checksums that do not match, tensors that are all
/// zero, NaN and infinities. Reads every byte unless stated otherwise. What is wrong is a finding;
/// fails only with Cancelled.
Result<HealthReport> checkHealth(const Checkpoint& checkpoint, const HealthOptions& options = {});

/// Bytes that checkHealth() will read, for a progress bar.
std::uint64_t healthCheckBytes(const Checkpoint& checkpoint);

} // namespace cairn
