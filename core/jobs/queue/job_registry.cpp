// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/job_registry.h"

#include "core/io/folder.h"
#include "core/io/user_folder.h"
#include "core/jobs/record/layout_digest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string recordName(const StartedJob& job) {
    const std::string part = job.part.whole() ? ""
                                              : "-" + std::to_string(job.part.index) + "-of-" +
                                                    std::to_string(job.part.count);
    return job.id + part;
}

std::string documentOf(const StartedJob& job) {
    Json json = {{"schema", "cairn/1"},
                 {"id", job.id},
                 {"digest", job.digest},
                 {"command", job.command},
                 {"output", job.output.string()},
                 {"staged", job.staged.string()},
                 {"part", {job.part.index, job.part.count}},
                 {"bytes", job.bytes},
                 {"began", job.began},
                 {"process", job.process},
                 {"boot", job.boot}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<StartedJob> jobOf(const JsonValue& json) {
    StartedJob job;
    job.id = textIn(json, "id");
    job.digest = textIn(json, "digest");
    job.output = textIn(json, "output");
    job.staged = textIn(json, "staged");
    job.boot = textIn(json, "boot");
    job.began = numberIn(json, "began");
    job.process = numberIn(json, "process");
    job.command = textsIn(json, "command");
    if (const JsonValue* part = json.find("part"); part && part->elements().size() == 2) {
        job.part = {static_cast<std::size_t>(part->elements()[0].asUnsigned().value_or(1)),
                    static_cast<std::size_t>(part->elements()[1].asUnsigned().value_or(1))};
    }
    job.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(numberIn(json, "bytes"), 0));
    const bool whole = !job.id.empty() && !job.command.empty() && job.output.is_absolute() &&
                       job.staged.is_absolute() &&
                       job.staged.filename().string().find(job.id) != std::string::npos;
    return whole ? std::optional(std::move(job)) : std::nullopt;
}

bool isThere(const StartedJob& job) {
    return job.boot == bootId() && job.process > 0 &&
           (::kill(static_cast<pid_t>(job.process), 0) == 0 || errno == EPERM);
}

} // namespace

JobRegistry::JobRegistry(fs::path folder) : m_records(std::move(folder)) {}

fs::path JobRegistry::defaultFolder() {
    const fs::path state = userFolder("XDG_STATE_HOME", ".local/state");
    return state.empty() ? state : state / "jobs";
}

Result<void> JobRegistry::add(FileOps& fileOps, const StartedJob& job) const {
    return m_records.put(fileOps, recordName(job), documentOf(job));
}

void JobRegistry::remove(FileOps& fileOps, const StartedJob& job) const {
    m_records.remove(fileOps, recordName(job));
}

void JobRegistry::removeAll(FileOps& fileOps, const std::string& id) const {
    for (const StartedJob& job : list()) {
        if (job.id == id) {
            remove(fileOps, job);
        }
    }
}

std::vector<StartedJob> JobRegistry::list() const {
    std::vector<StartedJob> jobs;
    for (const RecordFolder::Record& record : m_records.list()) {
        if (auto job = jobOf(record.json)) {
            job->running = isThere(*job);
            jobs.push_back(std::move(*job));
        }
    }
    std::ranges::stable_sort(jobs, {}, &StartedJob::began);
    return jobs;
}

JobHistory JobRegistry::history() const {
    return JobHistory(m_records.path().empty() ? fs::path() : m_records.path() / "ended");
}

StartedJob startedJob(const CopyPlan& plan, std::vector<std::string> command, JobPart part) {
    StartedJob job = startedJob(plan.output, layoutDigest(plan), std::move(command), part);
    job.bytes = plan.outputBytes();
    return job;
}

StartedJob startedJob(const fs::path& output, std::string digest, std::vector<std::string> command,
                      JobPart part) {
    std::error_code error;
    StartedJob job;
    job.digest = std::move(digest);
    job.id = job.digest.substr(0, kJobIdLength);
    job.command = std::move(command);
    job.output = fs::absolute(output, error);
    job.staged = fs::absolute(stagedPath(output, job.digest), error).lexically_normal();
    job.part = part;
    job.began = std::chrono::duration_cast<std::chrono::seconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
    job.process = ::getpid();
    job.boot = bootId();
    return job;
}

namespace {

/// Removes a folder that a job made, with its files and sub-folders.
Result<void> removeTree(FileOps& fileOps, const FileHandle& parent, const std::string& name,
                        const Folder& folder, int depth) {
    constexpr int kDeepest = 4; // as deep as a plan's names
    if (depth > kDeepest) {
        return fail(ErrorCode::LimitExceeded, "Folders are nested too deeply").inFile(name);
    }
    CAIRN_TRY(const FileHandle inner, fileOps.openFolderIn(parent, name));
    CAIRN_TRY(const std::vector<FolderEntry> entries, folder.list());
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Folder) {
            CAIRN_TRY(const FolderPtr next, folder.openFolder(entry.name));
            CAIRN_CHECK(removeTree(fileOps, inner, entry.name, *next, depth + 1));
        } else {
            CAIRN_CHECK(fileOps.removeFile(inner, entry.name));
        }
    }
    return fileOps.removeFolder(parent, name);
}

} // namespace

std::vector<fs::path> leftovers(const StartedJob& job) {
    std::vector<fs::path> paths;
    const std::string name = job.staged.filename().string();
    const auto folder = Folder::open(job.staged.parent_path());
    const auto entries = entriesOf(folder);
    for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
        if (entry.name.starts_with(name)) {
            paths.push_back(job.staged.parent_path() / entry.name);
        }
    }
    return paths;
}

Result<void> cleanUp(FileOps& fileOps, const StartedJob& job) {
    CAIRN_TRY(const FileHandle parent, fileOps.openFolder(job.staged.parent_path()));
    std::vector<FileHandle> journals; // locked until everything is removed
    const std::vector<fs::path> paths = leftovers(job);
    for (const fs::path& path : paths) {
        const std::string name = path.filename().string();
        std::error_code error;
        if (fs::is_directory(fs::symlink_status(path, error))) {
            continue;
        }
        CAIRN_TRY(FileHandle file, fileOps.openFile(parent, name));
        CAIRN_TRY(const bool mine, fileOps.lock(file));
        if (!mine) {
            return fail(ErrorCode::JobIsRunning, "Another process is running this job")
                .inFile(path.string());
        }
        journals.push_back(std::move(file));
    }
    for (const fs::path& path : paths) {
        const std::string name = path.filename().string();
        std::error_code error;
        if (!fs::is_directory(fs::symlink_status(path, error))) {
            CAIRN_CHECK(fileOps.removeFile(parent, name));
            continue;
        }
        CAIRN_TRY(const FolderPtr folder, Folder::open(path));
        CAIRN_CHECK(removeTree(fileOps, parent, name, *folder, 0));
    }
    return {};
}

} // namespace cairn
