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

/// The checkpoint that a delta rests on, opened when it is first needed. Any thread; owned by the
/// archive's codec.
class EarlierCheckpoint {
public:
    /// `path` is what the index states, relative to the archive's own folder. It is searched for
    /// there, then beside the archive; never above it.
    EarlierCheckpoint(const OpenRequest& request, std::string path);

    /// Fails: OutsideFolder, MissingShard, LimitExceeded (deltas of deltas, in a circle too), what
    /// opening states.
    Result<CheckpointPtr> open();
    /// Whether there is anything of that name; opens no checkpoint. Fails: OutsideFolder,
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
