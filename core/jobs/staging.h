// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/job_context.h"
#include "core/plan/copy_plan.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

struct StagedFile {
    FileHandle handle;
    bool direct = false; ///< O_DIRECT is on
};

/// The files of a job before they have their names: `.<name>.cairn-partial-<id>` beside the output,
/// a file or a folder of files. Not published when it is destroyed: everything that it made is
/// removed again, missing parents that it created too. One thread at a time.
class Staging {
public:
    /// Creates the files and reserves their space. Fails with what FileOps says.
    static Result<Staging> create(const CopyPlan& plan, FileOps& fileOps, JobContext& context,
                                  bool direct);
    Staging(Staging&& other) noexcept;
    Staging& operator=(Staging&&) = delete;
    ~Staging();

    std::vector<StagedFile>& files() { return m_files; }
    [[nodiscard]] const std::filesystem::path& path() const {
        return m_path;
    } ///< of the temporary file or folder

    /// fdatasync of every file, then closes them.
    Result<void> syncAndClose(bool sync);

    /// Writes the manifest under its temporary name (in a folder: under its own). Durable when
    /// `sync`.
    Result<void> addManifest(std::string_view text, bool sync);

    /// Gives everything its name: files first, then the manifest, each made durable. Never replaces
    /// anything.
    Result<void> publish(bool sync);

private:
    Staging(const CopyPlan& plan, FileOps& fileOps, JobContext& context);
    Result<void> openParent();
    Result<void> createFiles(bool direct);
    Result<void> makeDurable(bool sync);
    void remove(const FileHandle& folder, const std::string& name, bool isFolder);

    FileOps* m_fileOps;
    JobContext* m_context;
    const CopyPlan* m_plan;
    std::string m_finalName;
    std::string m_stagedName;
    std::string m_manifestStaged; ///< single file: temporary name of the manifest; empty: none
    std::filesystem::path m_path;
    FileHandle m_parent;
    FileHandle m_folder;                ///< folder outputs: the staged folder
    std::vector<std::string> m_created; ///< names in m_folder or m_parent, to be removed
    struct MadeFolder {
        FileHandle parent;
        std::string name;
    };
    std::vector<MadeFolder> m_madeFolders; ///< parents of the output that were not there
    std::vector<StagedFile> m_files;
    bool m_folderMade = false;
    bool m_renamed = false; ///< the output has its name
    bool m_done = false;
};

/// Where the manifest of this plan goes.
std::filesystem::path manifestPath(const CopyPlan& plan);

} // namespace cairn
