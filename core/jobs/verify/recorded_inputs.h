// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/context/job_context.h"
#include "core/jobs/record/read_manifest.h"
#include "core/model/checkpoint.h"

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

/// Finds what a manifest names beside the source of its job. A manifest has no absolute paths
/// (published_text.h), so that the places are those beside the output and beside the source, and
/// those that the user names.
namespace cairn {

class RecordedInputs {
public:
    /// `named`: places from the user, which are asked first.
    RecordedInputs(CheckpointPtr source, const std::filesystem::path& output,
                   std::span<const std::filesystem::path> named, JobContext& context);

    /// The checkpoint with the recorded files: sizes and, where they are recorded, SHA-256 are
    /// compared. `what`: "adapter", "member". `mayBeSource`: the source fits under any name. Fails:
    /// NotFound if there is none in these places; ChangedOnDisk if its files are others; Cancelled.
    Result<CheckpointPtr> find(const RecordedInput& input, const Sentence& what,
                               bool mayBeSource = false);

    /// A folder that was named on the command line. Fails: NotFound.
    Result<std::filesystem::path> folder(const std::string& recorded, const Sentence& what) const;
    /// A checkpoint that was: a file, a folder, or the names of TensorFlow's files without their
    /// ends. Fails: NotFound.
    Result<std::filesystem::path> checkpoint(const std::string& recorded,
                                             const Sentence& what) const;

    /// Whether find() returned the source.
    [[nodiscard]] bool usedSource() const { return m_usedSource; }

private:
    [[nodiscard]] std::vector<std::filesystem::path> places(const std::string& recorded) const;
    Result<std::optional<Sentence>> difference(const Checkpoint& found, const RecordedInput& input);

    CheckpointPtr m_source;
    std::filesystem::path m_sourcePath; ///< absolute
    std::vector<std::filesystem::path> m_around;
    std::vector<std::filesystem::path> m_named; ///< absolute
    std::set<std::filesystem::path> m_used;     ///< of equal ones, each stands for one input
    bool m_usedSource = false;
    JobContext& m_context;
};

} // namespace cairn
