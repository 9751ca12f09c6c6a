// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// A folder that holds several saves and a small text file that names the newest complete one.
namespace cairn::formats {

/// How one framework names its saves. Plain data; the views are literals.
struct SaveSeries {
    std::string_view pointer; ///< file that names the newest save: "latest"
    std::string_view second;  ///< asked when that is missing; may be empty
    std::optional<std::int64_t> (*stepOf)(std::string_view folder); ///< nothing: no save's name
    std::string (*folderOf)(std::string_view text); ///< what the pointer's text means; null: itself
    std::string_view expected;                      ///< for errors: what a save is called
    std::string_view newerHint; ///< what it means when a newer save is beside the named one
    /// Whether a folder that stepOf() does not know is a save, by what is in it. Null: never.
    bool (*isSave)(std::span<const FolderEntry>) = nullptr;
};

/// What such a file states, without the space around it; nothing: there is none to be read, it is
/// empty, or too long to be a name.
std::optional<std::string> readSavePointer(const Folder& folder, std::string_view name);

/// Opens the save that the pointer names, or the newest complete one when that cannot be, and shows
/// what was passed over. Which one is newer their numbers state where all are called alike
/// ("step-3", "global_step500"), else the times of their files. Fails with the first save's error
/// when none can be opened, and with Cancelled.
Result<CheckpointPtr> readNewestSave(const OpenRequest& request, const SaveSeries& series);

} // namespace cairn::formats
