// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// What schedulers report about the tasks of an array, from the text of their commands. Pure.
namespace cairn {

enum class TaskState : std::uint8_t {
    Unknown, ///< the scheduler no longer has it, and nothing shows that it is done
    Waiting,
    Running,
    Done,
    Failed,
    Cancelled
};
std::string_view taskStateName(TaskState state); ///< "unknown", "waiting", "running", …

struct ReportedTask {
    TaskState state = TaskState::Unknown;
    std::string word;   ///< the scheduler's own: "PENDING", "OUT_OF_MEMORY"
    std::string reason; ///< why it waits or failed; may be empty
};

/// The tasks of an array by their numbers, and its last step.
struct ReportedArray {
    std::map<std::size_t, ReportedTask> tasks;
    std::optional<ReportedTask> last;
    [[nodiscard]] bool isActive() const; ///< something waits or runs
};

/// Slurm's states, as `squeue -o %T` and `sacct -o State` write them ("CANCELLED by 1000").
TaskState slurmState(std::string_view word);

/// Adds lines of "job|state|reason": job is "123_4", "123_[5-8%2]", "123_[5,7]" or "124". Lines of
/// other jobs and steps ("123_4.batch") are ignored; what is known already stays. False: a line has
/// another form.
bool addSlurmLines(std::string_view text, std::string_view array, std::string_view last,
                   ReportedArray& reported);

/// "4711" of what `sbatch --parsable` prints: "4711" or "4711;cluster". Empty: something else.
struct SlurmId {
    std::string id;
    std::string cluster; ///< empty: the default one
};
std::optional<SlurmId> parseSlurmId(std::string_view text);

/// The tasks of an Indexed Job, numbered from 1, from the document of `kubectl get job -o json`.
/// Empty: it is not such a document.
std::optional<ReportedArray> readKubernetesJob(std::string_view text, std::size_t tasks);

} // namespace cairn
