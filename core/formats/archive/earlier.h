// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/model/checkpoint.h"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::formats::archive {

/// The checkpoint on which a delta is based, opened when it is first needed. Any thread; owned by
/// the archive's codec.
class EarlierCheckpoint {
public:
    /// `path` is from the index, relative to the archive's folder. It is searched there, then
    /// beside the archive; never above it.
    EarlierCheckpoint(const OpenRequest& request, std::string path);

    /// Fails: OutsideFolder, MissingShard, LimitExceeded (too many deltas of deltas, or a cycle),
    /// the errors of opening.
    Result<CheckpointPtr> open();
    /// Checks that the path exists, without opening a checkpoint. Fails: OutsideFolder,
    /// MissingShard.
    Result<void> locate() const;
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    Result<std::string> member() const;

    FolderPtr m_folder;
    std::string m_archive; ///< path of the archive in m_folder
    std::string m_path;
    std::function<Result<CheckpointPtr>(std::string_view)> m_openNested;
    std::mutex m_mutex; ///< guards m_opened
    std::optional<Result<CheckpointPtr>> m_opened;
};

} // namespace cairn::formats::archive
