// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// What a checkpoint consists of on the disk: every file and folder with its identity. Reads no
/// file.
namespace cairn {

struct SavedFiles {
    struct Row {
        std::string name; ///< relative to the checkpoint's folder; the file's own name otherwise
        EntryKind kind = EntryKind::File;
        FileIdentity identity; ///< without ctime: moving another name of a file changes it
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::vector<Row> rows; ///< folders, too; natural order, a folder before what is in it
    bool whole = false;    ///< everything could be listed

    [[nodiscard]] std::int64_t oldestNs() const; ///< modification of a file or link; 0 without any
    [[nodiscard]] std::int64_t newestNs() const;
    /// How many files there are of each name, where numbers and long hexadecimal digests do not
    /// count: "mp_rank_#/model_optim_rng.pt" -> 4. Without chunks that only numbers name.
    [[nodiscard]] std::map<std::string, std::size_t> shape() const;
    friend bool operator==(const SavedFiles&, const SavedFiles&) = default;
};

/// Of a file, a folder or a checkpoint that is named by what its files have in common. Links are
/// not followed. Any thread.
SavedFiles listSavedFiles(const std::filesystem::path& checkpoint);

} // namespace cairn
