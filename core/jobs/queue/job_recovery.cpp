// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/queue/job_recovery.h"

#include "core/io/folder.h"
#include "core/jobs/queue/output_undo.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/read_manifest.h"
#include "core/jobs/verify/verify.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

namespace cairn {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

/// Locks the job's files, which keeps other processes from the job while the handles are open.
Result<std::vector<FileHandle>> lockAll(FileOps& fileOps, const FileHandle& folder,
                                        const std::vector<fs::path>& left) {
    std::vector<FileHandle> locks;
    for (const fs::path& path : left) {
        CAIRN_TRY(FileHandle file, fileOps.openFile(folder, path.filename().string()));
        CAIRN_TRY(const bool mine, fileOps.lock(file));
        if (!mine) {
            return fail(ErrorCode::JobIsRunning, "Another process is running this job")
                .inFile(path.string());
        }
        locks.push_back(std::move(file));
    }
    return locks;
}

/// The source that a manifest names, if it is still where it was.
fs::path sourceOf(const fs::path& output, const std::string& name) {
    std::error_code error;
    const fs::path place = fs::absolute(output, error).parent_path() / name;
    return fs::exists(place, error) ? place : fs::path(name);
}

/// Locks what is left first, and fails with JobIsRunning or NotFound if another process was faster.
Result<JobReport> finish(FileOps& fileOps, const StartedJob& job, JobContext& context,
                         const JobRegistry& registry) {
    const fs::path wanted = manifestPath(job.output);
    const fs::path ready = stagedManifest(job.staged);
    const fs::path& manifest = isThere(ready) ? ready : wanted;
    const std::vector<fs::path> left = leftovers(job);
    CAIRN_TRY(const FileHandle folder, fileOps.openFolder(job.staged.parent_path()));
    CAIRN_TRY(const std::vector<FileHandle> locks, lockAll(fileOps, folder, left));
    CAIRN_TRY(Manifest found, readManifest(manifest));
    CAIRN_TRY(const VerifyResult compared, verifyAgainstManifest(job.output, manifest, context));
    if (!compared.verified) {
        return fail(ErrorCode::ChangedOnDisk, "The output is not the one that this job wrote")
            .inFile(job.output.string())
            .expecting(sentence("the output that %1 describes", manifest.string()))
            .withHint("Move it elsewhere and run the job again");
    }
    if (&manifest == &ready) {
        CAIRN_CHECK(fileOps.renameNoReplace(folder, ready.filename().string(), folder,
                                            wanted.filename().string()));
        CAIRN_CHECK(fileOps.syncFolder(folder));
    }
    for (const LateName& late : {kSignatureLate, kProvenanceLate, kBomLate}) {
        const std::string staged = job.staged.filename().string() + std::string(late.stagedSuffix);
        if (isThere(job.staged.parent_path() / staged)) {
            CAIRN_CHECK(fileOps.renameNoReplace(
                folder, staged, folder, job.output.filename().string() + std::string(late.suffix)));
            CAIRN_CHECK(fileOps.syncFolder(folder));
        }
    }
    for (const fs::path& path : left) {
        if (isThere(path)) {
            CAIRN_CHECK(fileOps.removeFile(folder, path.filename().string()));
        }
    }
    registry.removeAll(fileOps, job.id);
    JobReport report;
    report.output = job.output;
    report.manifest = wanted;
    report.tensors = found.tensors.size();
    report.verified = report.published = true;
    report.bytes = compared.bytes;
    report.files = std::move(found.files);
    report.stamp = outputStamp(job.output);
    EndedJob ended;
    ended.command = job.command;
    ended.source = sourceOf(job.output, found.sourcePath);
    ended.output = job.output;
    ended.tensors = report.tensors;
    ended.bytes = report.bytes;
    ended.verified = true;
    ended.stamp = report.stamp;
    (void)registry.history().add(fileOps, std::move(ended));
    return report;
}

} // namespace

bool isPublished(const StartedJob& job) {
    return isThere(job.output) && !isThere(job.staged) && !leftovers(job).empty() &&
           (isThere(stagedManifest(job.staged)) || isThere(manifestPath(job.output)));
}

Result<std::optional<JobReport>> finishPublished(FileOps& fileOps, const StartedJob& job,
                                                 JobContext& context, const JobRegistry& registry) {
    constexpr int kMostRaces = 8; // a file that the other process removed between two calls
    int races = 0;
    while (isPublished(job)) {
        auto report = finish(fileOps, job, context, registry);
        if (report) {
            return std::move(*report);
        }
        const ErrorCode code = report.error().code;
        if (code == ErrorCode::NotFound ? ++races > kMostRaces : code != ErrorCode::JobIsRunning) {
            return std::move(report).error();
        }
        CAIRN_CHECK(context.proceed());
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return std::optional<JobReport>();
}

std::string jobIdIn(std::string_view name) {
    const std::size_t at = name.rfind(kPartialMark);
    return at == std::string_view::npos
               ? std::string()
               : std::string(name.substr(at + kPartialMark.size(), kJobIdLength));
}

Result<std::vector<StartedJob>> unrecordedJobs(const fs::path& path, const JobRegistry& registry) {
    CAIRN_TRY(const FolderPtr folder, Folder::open(path));
    CAIRN_TRY(const std::vector<FolderEntry> entries, folder->list());
    std::set<std::string> known;
    for (const StartedJob& job : registry.list()) {
        known.insert(job.id);
    }
    std::error_code error;
    const fs::path whole = fs::canonical(path, error);
    std::vector<StartedJob> jobs;
    for (const FolderEntry& entry : entries) {
        StartedJob job;
        job.id = jobIdIn(entry.name);
        if (!entry.name.starts_with('.') || job.id.size() < kJobIdLength) {
            continue;
        }
        const std::size_t at = entry.name.rfind(kPartialMark);
        if (known.insert(job.id).second) {
            job.staged = whole / entry.name.substr(0, at + kPartialMark.size() + kJobIdLength);
            job.output = whole / entry.name.substr(1, at - 1);
            job.began = entry.identity.mtimeNs / 1'000'000'000;
            jobs.push_back(std::move(job));
        }
    }
    return jobs;
}

} // namespace cairn
