// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/jobs/cluster/submission_registry.h"
#include "core/jobs/cluster/task_state.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The state of a submitted array: what the scheduler reports, and what the journals beside the
/// outputs record. Any thread but the window's.
namespace cairn {

struct TaskStatus {
    std::size_t task = 0; ///< from 1
    ArrayTask does;
    ReportedTask reported;
    std::optional<std::uint64_t> bytesDone; ///< empty: not known here
    std::uint64_t bytes = 0;                ///< that it writes; 0: not recorded
    std::filesystem::path log;              ///< empty: the scheduler keeps it
};

struct ArrayStatus {
    Submission submission;
    std::vector<TaskStatus> tasks;
    std::optional<ReportedTask> last;
    std::filesystem::path lastLog;
    bool accounting = false;   ///< the scheduler's accounting was asked, too
    std::size_t published = 0; ///< outputs that are complete
    [[nodiscard]] bool hasFailed() const;
    [[nodiscard]] bool isActive() const; ///< a task or the last step waits or runs
    [[nodiscard]] std::size_t count(TaskState state) const; ///< of tasks
    /// Of all tasks; those that are not known are 0.
    [[nodiscard]] std::uint64_t bytesDone() const;
    [[nodiscard]] std::uint64_t bytes() const;
};

/// What the scheduler reports; `accounting` is set if its accounting answered. Tasks that it has
/// forgotten are missing. Fails: NotFound if its commands are missing; Io if they fail or answer in
/// an unknown form.
Result<ReportedArray> reportedArray(const Submission& submission, const CancelToken& cancel,
                                    bool* accounting = nullptr);

/// Fails as reportedArray().
Result<ArrayStatus> arrayStatus(const Submission& submission, const CancelToken& cancel = {});

/// Cancels the tasks and the last step; what is written is kept, and can be resumed or removed.
/// Fails: as above, and with Io if the scheduler refuses.
Result<void> cancelArray(const Submission& submission, const CancelToken& cancel = {});

} // namespace cairn
