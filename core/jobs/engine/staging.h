// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/durability.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/journal.h"
#include "core/jobs/record/late_names.h"
#include "core/plan/copy_plan.h"
#include "core/plan/job_part.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct StagedFile {
    FileHandle handle;
    bool direct = false; ///< O_DIRECT is on
};

/// The files of a job until they have their final names: `.<name>.cairn-partial-<id>` next to the
/// output, a file or a folder of files, and its journals. The id is that of the plan, so that a
/// killed job finds its earlier files, and processes that do parts of one job find each other's. If
/// it is destroyed before publishing, all files of this job are removed, and also missing parent
/// folders that it created, but not files shared with other parts, and nothing if the job was
/// suspended. Not thread-safe.
class Staging {
public:
    struct Options {
        bool direct = true;
        JobPart part;
        std::string digest; ///< layoutDigest() of the plan
    };
    /// Opens the part's journal, creates or opens its files, and reserves their space; opens no
    /// files for a part that is complete. Fails with InvalidArgument for a name that is too long,
    /// JobIsRunning, OutputExists, ChangedOnDisk and the errors of FileOps.
    static Result<Staging> create(const CopyPlan& plan, FileOps& fileOps, JobContext& context,
                                  const Options& options);
    Staging(Staging&& other) noexcept;
    Staging& operator=(Staging&&) = delete;
    ~Staging();

    std::vector<StagedFile>& files() { return m_files; }
    [[nodiscard]] const std::filesystem::path& path() const {
        return m_path;
    } ///< of the temporary file or folder
    Journal& journal() { return *m_journal; }
    /// An earlier process has written some of it.
    [[nodiscard]] bool resumes() const { return !m_journal->content().records.empty(); }

    /// fdatasync of every file when Synced, then closes them.
    Result<void> closeFiles(Durability durability);

    /// Call it after closeFiles() of a part: records that the part is done and releases the
    /// journal. If all parts are done and no other process is publishing, returns all that their
    /// journals record, opens the files again, and owns the complete job from then on; otherwise,
    /// and always for a part that leaves publishing, empty. Fails for the last step with
    /// MissingShard if parts are not complete (it names them), and with JobIsRunning if another
    /// process is publishing.
    Result<std::optional<JournalContent>> takeOver(Durability durability);

    /// Adds a small file about the finished output.
    Result<void> addLate(const LateName& name, std::string_view text, Durability durability);

    /// Renames everything to its final name: files first, then the late files in order, each made
    /// durable. Never replaces anything. Then removes the journals.
    Result<void> publish(Durability durability);

private:
    Staging(const CopyPlan& plan, FileOps& fileOps, JobContext& context, const Options& options);
    Result<void> openParent();
    Result<void> checkNames() const;
    Result<void> openJournal();
    Result<void> checkNoOutput() const;
    [[nodiscard]] bool filesExist() const;
    [[nodiscard]] FileHandle lockFree(const std::string& name) const;
    Result<void> forgetWithoutFiles();
    Result<void> openFiles();
    Result<bool> reserve(const FileHandle& handle, std::size_t file);
    /// `most`: the maximum size of an existing file.
    Result<FileHandle> openOrCreate(const FileHandle& folder, const std::string& path,
                                    std::uint64_t most);
    Result<void> syncParents();
    Result<void> checkSameParts() const;
    Result<bool> isDone(JobPart part, JournalContent& all) const;
    Result<std::vector<std::size_t>> missingParts(JournalContent& all) const;
    Result<bool> lockToPublish(const std::string& name);
    [[nodiscard]] Error notAllDone(const std::vector<std::size_t>& missing) const;
    void removeStaleLock(const std::string& name);
    [[nodiscard]] std::string journalName(JobPart part) const;
    Result<const FileHandle*> folderOf(std::string_view path);
    void removeCreated(const std::string& path);
    void removeSubfolders();
    void removeFile(const FileHandle& folder, const std::string& name);
    void removeFolder(const FileHandle& parent, const std::string& name);
    void logFailure(const Result<void>& removed);
    void removeJournals();

    FileOps* m_fileOps;
    JobContext* m_context;
    const CopyPlan* m_plan;
    Options m_options;
    std::string m_finalName;
    std::string m_stagedName;
    struct LateFile {
        std::string staged; ///< temporary name
        std::string name;   ///< final name
    };
    std::vector<LateFile> m_late; ///< single file: those beside it
    std::filesystem::path m_path;
    FileHandle m_parent;
    FileHandle m_folder; ///< folder outputs: the staged folder
    std::map<std::string, FileHandle, std::less<>> m_subfolders; ///< of it, by their paths
    std::optional<Journal> m_journal;
    FileHandle m_publishLock;           ///< jobs in parts: the holder publishes
    std::vector<std::string> m_created; ///< paths in m_folder or m_parent, to be removed
    struct MadeFolder {
        FileHandle parent;
        std::string name;
    };
    std::vector<MadeFolder> m_madeFolders; ///< parents of the output that were missing
    std::vector<StagedFile> m_files;
    bool m_folderMade = false;
    bool m_renamed = false; ///< the output has its final name
    bool m_keep = false;    ///< existing files also belong to other parts or processes
};

/// The temporary file or folder that remains if a job of this plan is killed. The names of its
/// journals begin with this name.
std::filesystem::path stagedPath(const std::filesystem::path& output, std::string_view digest);

/// Suffixes of the staged name.
inline constexpr std::string_view kJournalSuffix = ".journal";
inline constexpr std::string_view kLockSuffix = ".lock"; ///< held by the part that publishes
std::uint64_t stagedSize(const FileHandle& file);

/// The journal of a part, from the name or path of the staged output.
std::filesystem::path partJournal(const std::filesystem::path& staged, JobPart part);

/// Path of a file's manifest before it gets its final name.
std::filesystem::path stagedManifest(const std::filesystem::path& staged);

/// Disk space of a file, or of the files directly in a folder; 0 if there are none.
std::uint64_t allocatedBytes(const std::filesystem::path& path);

} // namespace cairn
