// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/rank_member.h"
#include "core/formats/megatron/rank_folders.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::megatron {

/// A rank's file.
struct RankFile {
    RankFolder folder;
    Member member;
    std::string stem; ///< of files that are not the model's: "distrib_optim"
};

/// The file of a rank's model, relative to the save.
std::string modelFileOf(const std::string& folder);

/// The files of all ranks of a legacy save. `request` and `data` must outlive it. One thread.
class RankSet {
public:
    RankSet(const OpenRequest& request, CheckpointData& data);

    /// Opens the known files of all rank folders; what is missing or unreadable is a notice. Fails:
    /// Cancelled; when none can be read, with the first error.
    Result<void> open();
    /// All ranks save together, into the folder of that iteration, which becomes the checkpoint's
    /// step. Files that differ are notices.
    void checkIterations();

    [[nodiscard]] const std::vector<RankFolder>& folders() const { return m_folders; }
    /// In the order of their ranks; complete and in their place for good after open().
    std::vector<RankFile>& files() { return m_files; }
    [[nodiscard]] const std::vector<RankFile>& files() const { return m_files; }
    /// One rank: nothing has to be distinguished.
    [[nodiscard]] bool isSingle() const { return m_folders.size() == 1; }

    /// What stands in front of the names of a file's tensors that are not merged.
    [[nodiscard]] std::string prefixOf(const RankFile& file) const;

    /// Reports what is not merged, of the first rank unless the error names a file; the checkpoint
    /// is incomplete.
    void noteNotMerged(Error error);
    void noteMissing(const std::string& folder, const std::string& evidence);

private:
    Result<void> openFolder(const RankFolder& folder);
    Result<bool> openFile(const RankFolder& folder, std::string_view name, std::string_view stem);

    const OpenRequest& m_request;
    CheckpointData& m_data;
    std::vector<RankFolder> m_folders;
    std::vector<RankFile> m_files;
    std::optional<Error> m_firstError;
};

} // namespace cairn::formats::megatron
