// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/record_folder.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/queue/job_history.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// The jobs that this user started: one small JSON file each in the user's state folder
/// ($XDG_STATE_HOME, else ~/.local/state; cairn/jobs), removed when the job ends. Remaining files
/// belong to killed processes, whose jobs can be resumed or cleaned up.
namespace cairn {

struct StartedJob {
    std::string id;                   ///< start of its digest; also in the names of its files
    std::string digest;               ///< layoutDigest() of its plan
    std::vector<std::string> command; ///< arguments of cairn-cli
    std::filesystem::path output;     ///< absolute
    std::filesystem::path staged;     ///< absolute; see stagedPath()
    JobPart part;
    std::uint64_t bytes = 0; ///< of the complete output; 0: unknown
    std::int64_t began = 0;  ///< start time in seconds since 1970
    std::int64_t process = 0;
    std::string boot;     ///< boot id of the system in which the process ran
    bool running = false; ///< set by list(): the process still exists
};

/// One folder of such files. Any thread; other processes may use it at the same time.
class JobRegistry {
public:
    explicit JobRegistry(std::filesystem::path folder = defaultFolder());
    static std::filesystem::path defaultFolder(); ///< empty: the user has none

    /// Fails with the errors of FileOps; a job can run without its record.
    Result<void> add(FileOps& fileOps, const StartedJob& job) const;
    void remove(FileOps& fileOps, const StartedJob& job) const;
    void removeAll(FileOps& fileOps, const std::string& id) const; ///< of all parts
    /// Oldest first. Other files are ignored.
    [[nodiscard]] std::vector<StartedJob> list() const;

    /// The jobs that have ended: in the sub-folder "ended".
    [[nodiscard]] JobHistory history() const;

private:
    RecordFolder m_records;
};

/// The record for this process and a plan with this output and layoutDigest(); `bytes` is 0.
StartedJob startedJob(const std::filesystem::path& output, std::string digest,
                      std::vector<std::string> command, JobPart part);
StartedJob startedJob(const CopyPlan& plan, std::vector<std::string> command, JobPart part);

/// Files that a job left beside its output, absolute paths; empty if the job is running or its
/// output was published.
std::vector<std::filesystem::path> leftovers(const StartedJob& job);

/// Removes them. Fails: JobIsRunning, and the errors of FileOps.
Result<void> cleanUp(FileOps& fileOps, const StartedJob& job);

} // namespace cairn
