// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// A folder of several saves, with a small text file that names the newest complete one.
namespace cairn::formats {

/// A framework's naming scheme for its saves. Plain data; the views are literals.
struct SaveSeries {
    std::string_view pointer; ///< file that names the newest save: "latest"
    std::string_view second;  ///< used if `pointer` is missing; may be empty
    std::optional<std::int64_t> (*stepOf)(
        std::string_view folder); ///< empty: not the name of a save
    std::string (*folderOf)(
        std::string_view text); ///< maps the pointer's text to a folder; null: identity
    std::string_view expected;  ///< for errors: the form of a save's name
    std::string_view newerHint; ///< explanation if a newer save than the named one exists
    /// Whether a folder that stepOf() does not recognise is a save, judged by its content. Null:
    /// never.
    bool (*isSave)(std::span<const FolderEntry>) = nullptr;
};

/// The text of a pointer file without surrounding whitespace; empty if it is missing, unreadable,
/// empty, or too long to be a name.
std::optional<std::string> readSavePointer(const Folder& folder, std::string_view name);

/// Opens the save that the pointer names, or the newest complete one if that is not possible, and
/// reports which saves were skipped. "Newest" is decided by the numbers if all names have the same
/// form ("step-3", "global_step500"), else by modification time. Fails with the first save's error
/// if none can be opened, and with Cancelled.
Result<CheckpointPtr> readNewestSave(const OpenRequest& request, const SaveSeries& series);

} // namespace cairn::formats
