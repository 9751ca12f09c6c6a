// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/folder.h"
#include "core/jobs/context/job_context.h"
#include "core/signing/signed_statement.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The files of a model on the disk, as a signature counts them: all regular files of a folder and
/// its sub-folders, hidden ones included, or one file.
namespace cairn {

/// Paths that git uses, at the top of a model; never signed.
inline constexpr auto kGitPaths =
    std::to_array<std::string_view>({".git", ".gitattributes", ".github", ".gitignore"});

/// Whether `path` is, or is below, one of `ignored`.
bool isIgnored(std::string_view path, const std::vector<std::string>& ignored);

struct ModelFile {
    std::string path;                 ///< relative, with slashes; "." for a model of one file
    EntryKind kind = EntryKind::File; ///< Link and Other cannot be signed
    std::uint64_t bytes = 0;
    std::int64_t mtimeNs = 0;
};

/// A model on the disk. Any thread; immutable.
class ModelFolder {
public:
    /// `path` is a folder or a file. Fails with the errors of Folder.
    static Result<ModelFolder> open(const std::filesystem::path& path);
    [[nodiscard]] const std::string& name() const { return m_name; } ///< of the folder or file
    [[nodiscard]] bool isFile() const { return !m_file.empty(); }

    /// All entries but folders and `ignored`, by path. With `follow`, a link to a file in the model
    /// is that file. Fails: LimitExceeded (too many, nested too deeply), and the errors of Folder.
    [[nodiscard]] Result<std::vector<ModelFile>> list(const std::vector<std::string>& ignored,
                                                      bool follow) const;
    [[nodiscard]] Result<ByteSourcePtr> openFile(const std::string& path) const;

    /// Digests of these files or ranges, in order and in hexadecimal; several files at a time.
    /// `end` 0 means the end of the file. Fails with the first error of reading, and Cancelled.
    [[nodiscard]] Result<std::vector<std::string>>
    digests(const std::vector<signing::SignedFile>& files, signing::HashType hash,
            JobContext& context) const;

private:
    FolderPtr m_folder;
    std::string m_name;
    std::string m_file; ///< name of a model of one file in m_folder
};

} // namespace cairn
