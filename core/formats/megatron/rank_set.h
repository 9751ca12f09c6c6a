// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/rank_member.h"
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
    std::string stem; ///< of files other than the model's: "distrib_optim"
};

/// Path of a rank's model file, relative to the save.
std::string modelFileOf(const std::string& folder);

/// The files of all ranks of a legacy save. `request` and `data` must outlive it. Not thread-safe.
class RankSet {
public:
    RankSet(const OpenRequest& request, CheckpointData& data);

    /// Opens the known files in all rank folders; missing and unreadable ones become notices.
    /// Fails: Cancelled; with the first error if none can be read.
    Result<void> open();
    /// Compares the files' iterations, which must be equal and determine the checkpoint's step.
    /// Different ones become notices.
    void checkIterations();
    /// Files that record another tensor parallel rank than that of their folder are damage.
    void checkRanks();

    [[nodiscard]] const std::vector<RankFolder>& folders() const { return m_folders; }
    /// In rank order. After open() no files are added or moved.
    std::vector<RankFile>& files() { return m_files; }
    [[nodiscard]] const std::vector<RankFile>& files() const { return m_files; }
    /// There is only one rank: names need no prefix.
    [[nodiscard]] bool isSingle() const { return m_folders.size() == 1; }

    /// Prefix for the names of a file's tensors that are not merged.
    [[nodiscard]] std::string prefixOf(const RankFile& file) const;

    /// Reports tensors that are not merged, of the first rank unless the error names a file; marks
    /// the checkpoint as incomplete.
    void noteNotMerged(Error error);
    void noteMissing(const std::string& folder, const Sentence& evidence);

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
