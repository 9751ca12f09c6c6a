// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/durability.h"
#include "core/jobs/job_context.h"
#include "core/jobs/job_part.h"
#include "core/jobs/journal.h"
#include "core/plan/copy_plan.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct StagedFile {
    FileHandle handle;
    bool direct = false; ///< O_DIRECT is on
};

/// The files of a job before they have their names: `.<name>.cairn-partial-<id>` beside the output,
/// a file or a folder of files, and its journals. The id is that of the plan, so that a job that
/// was killed finds what it had begun, and processes that do parts of one job meet. Not published
/// when it is destroyed: everything of this job is removed again, missing parents that it created
/// too; but not what is shared with other parts, and nothing when the job was suspended. One thread
/// at a time.
class Staging {
public:
    struct Options {
        bool direct = true;
        JobPart part;
        std::string digest; ///< layoutDigest() of the plan
    };
    /// Takes the part's journal, creates the files or takes up those that exist, and reserves
    /// their space. Fails with InvalidArgument for a name that is too long, JobIsRunning,
    /// ChangedOnDisk and the errors of FileOps.
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
    /// An earlier process had written some of it.
    [[nodiscard]] bool resumes() const { return !m_journal->content().records.empty(); }

    /// fdatasync of every file when Synced, then closes them.
    Result<void> closeFiles(Durability durability);

    /// After closeFiles() of a part: states that it is done and lets go of the journal. If all
    /// parts are done and nobody else is publishing, gives what they have written, opens the files
    /// again, and from then on owns the whole job; else nothing.
    Result<std::optional<std::vector<RunRecord>>> takeOver(Durability durability);

    /// Writes the manifest under its temporary name (in a folder: under its own).
    Result<void> addManifest(std::string_view text, Durability durability);

    /// Gives everything its name: files first, then the manifest, each made durable. Never replaces
    /// anything. Then removes the journals.
    Result<void> publish(Durability durability);

private:
    Staging(const CopyPlan& plan, FileOps& fileOps, JobContext& context, const Options& options);
    Result<void> openParent();
    Result<void> checkNames() const;
    Result<void> openJournal();
    Result<void> openFiles();
    Result<bool> reserve(const FileHandle& handle, std::size_t file);
    /// `most`: bytes that what was begun may have.
    Result<FileHandle> openOrCreate(const FileHandle& folder, const std::string& name,
                                    std::uint64_t most);
    Result<void> syncParents();
    Result<bool> isDone(JobPart part, std::vector<RunRecord>& records) const;
    [[nodiscard]] std::string journalName(JobPart part) const;
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
    std::string m_manifestStaged; ///< single file: temporary name of the manifest; empty: none
    std::filesystem::path m_path;
    FileHandle m_parent;
    FileHandle m_folder; ///< folder outputs: the staged folder
    std::optional<Journal> m_journal;
    FileHandle m_publishLock;           ///< jobs in parts: who has it publishes
    std::vector<std::string> m_created; ///< names in m_folder or m_parent, to be removed
    struct MadeFolder {
        FileHandle parent;
        std::string name;
    };
    std::vector<MadeFolder> m_madeFolders; ///< parents of the output that were missing
    std::vector<StagedFile> m_files;
    bool m_folderMade = false;
    bool m_renamed = false; ///< the output has its name
    bool m_keep = false;    ///< what exists is other parts' too, or another process's
};

/// What a job of this plan leaves when it is killed: its temporary file or folder. The names of its
/// journals begin with the same name.
std::filesystem::path stagedPath(const CopyPlan& plan, std::string_view digest);

/// Where the manifest of a file is until it gets its name.
std::filesystem::path stagedManifest(const std::filesystem::path& staged);

/// What a file, or the files right in a folder, take on the disk; 0 if there is nothing.
std::uint64_t allocatedBytes(const std::filesystem::path& path);

} // namespace cairn
