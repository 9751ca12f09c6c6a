// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The files of a checkpoint on the disk: every file and folder with its identity. Reads no file.
namespace cairn {

struct SavedFiles {
    struct Row {
        std::string name; ///< relative to the checkpoint's folder; for a single file its name
        EntryKind kind = EntryKind::File;
        FileIdentity
            identity; ///< without ctime, which changes when another name of the file is moved
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::vector<Row> rows; ///< including folders; natural order, a folder before its contents
    bool whole = false;    ///< everything could be listed

    [[nodiscard]] std::int64_t
    oldestNs() const; ///< oldest modification of a file or link; 0 without any
    [[nodiscard]] std::int64_t newestNs() const;
    /// The number of files for each name, with numbers and long hexadecimal digests replaced:
    /// "mp_rank_#/model_optim_rng.pt" -> 4. Without chunks whose names are only numbers.
    [[nodiscard]] std::map<std::string, std::size_t> shape() const;
    friend bool operator==(const SavedFiles&, const SavedFiles&) = default;
};

/// For a file, a folder, or a checkpoint named by the common part of its files. Links are not
/// followed. Any thread.
SavedFiles listSavedFiles(const std::filesystem::path& checkpoint);

} // namespace cairn
