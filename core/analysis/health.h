// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/model_findings.h"
#include "core/base/cancel_token.h"
#include "core/base/decided.h"
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
    std::uint64_t checksums = 0;  ///< number of stored checksums that were compared
    std::uint64_t tensorsRead = 0;
    std::uint64_t bytesRead = 0;
    Decided<bool> valuesSaved; ///< see decideSaved()
    ModelAnswer model;         ///< whether the loader of the config's class takes the weights
    static constexpr std::size_t kMaxFindings = 10'000;
    /// Whether a finding is an error, which makes the exit code non-zero. `strict`: or a warning.
    [[nodiscard]] bool failed(bool strict = false) const {
        return verdict >= (strict ? HealthVerdict::Warnings : HealthVerdict::Unread);
    }
};

struct HealthOptions {
    CancelToken cancel;
    bool readData = true;                           ///< false: index, sizes and names only
    std::atomic<std::uint64_t>* progress = nullptr; ///< incremented by the bytes processed
    CheckedModel model = {};                        ///< the weights are compared with its tensors
};

/// Searches for typical problems of checkpoints: missing and stray files, elements in no shard or
/// in two, ranges beyond the end of a file, stored checksums that do not match, tensors that are
/// all zero, NaN and infinities, and what modelFindings() finds. Reads every byte unless disabled.
/// Problems become findings; fails only with Cancelled.
Result<HealthReport> checkHealth(const Checkpoint& checkpoint, const HealthOptions& options = {});

/// Bytes that checkHealth() will read, for a progress bar.
std::uint64_t healthCheckBytes(const Checkpoint& checkpoint);

} // namespace cairn
