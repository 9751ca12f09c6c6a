// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/cluster/array_job.h"
#include "core/jobs/context/record_folder.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// The arrays that this user submitted: one small JSON file each in the user's state folder
/// ($XDG_STATE_HOME, else ~/.local/state; cairn/cluster).
namespace cairn {

enum class Scheduler : std::uint8_t { Slurm, Kubernetes };
std::string_view schedulerName(Scheduler scheduler); ///< "slurm", "kubernetes"

struct Submission {
    Scheduler scheduler = Scheduler::Slurm;
    std::string id;   ///< of the array: "4711"; of a Job: its name
    std::string last; ///< of the last step; empty: there is none
    /// For each later command: `--clusters=…`, `--namespace=…`.
    std::vector<std::string> options;
    ArrayJob job;
    std::vector<std::uint64_t> taskBytes; ///< by task; empty: too many to be recorded
    std::filesystem::path logs;           ///< empty: the scheduler keeps them
    std::int64_t began = 0;               ///< seconds since 1970
};

/// Any thread; other processes may use it at the same time.
class SubmissionRegistry {
public:
    static constexpr std::size_t kMost = 200; ///< the oldest are dropped

    explicit SubmissionRegistry(std::filesystem::path folder = defaultFolder());
    static std::filesystem::path defaultFolder(); ///< empty: the user has none

    /// Fails with the errors of FileOps.
    Result<void> add(FileOps& fileOps, const Submission& submission) const;
    /// Oldest first. Other files are ignored.
    [[nodiscard]] std::vector<Submission> list() const;
    /// The one with this id of the array or the last step, the newest of several; without an id the
    /// only one. Fails: NotFound, InvalidArgument.
    Result<Submission> find(const std::string& id) const;

    /// A new folder for the logs of a job. Fails as openUserFolder(); NotFound if the user has no
    /// state folder.
    Result<std::filesystem::path> makeLogs(FileOps& fileOps, const ArrayJob& job) const;

private:
    RecordFolder m_records;
};

} // namespace cairn
