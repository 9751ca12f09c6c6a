// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"
#include "core/io/folder.h"
#include "core/model/name_rules.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Changes to the header of a file: names and metadata. Values; any thread.
namespace cairn {

/// The user's request.
struct HeaderChanges {
    NameRules rename;       ///< for tensor names
    std::string renameText; ///< the rules as text
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> unset;
    [[nodiscard]] bool empty() const { return rename.empty() && set.empty() && unset.empty(); }
};

struct RenamedTensor {
    std::string from;
    std::string to;
};

/// A changed metadata key; empty: not present.
struct MetadataChange {
    std::string key;
    std::optional<std::string> before;
    std::optional<std::string> after;
};

/// A header with the changes, not yet written. Everything else is unchanged.
struct EditedHeader {
    std::uint64_t dataStart = 0; ///< offset of the data in the current file
    std::uint64_t leastSize = 0; ///< size of the shortest new header
    /// All metadata of the file, in its order.
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<RenamedTensor> renamed;
    std::vector<MetadataChange> metadata;
    /// The new header with exactly this size. REQUIRES: at least leastSize.
    std::function<std::vector<std::byte>(std::uint64_t size)> bytes;
    std::uint64_t mostSize = 0; ///< limit of the format's readers
    [[nodiscard]] bool hasNoChanges() const { return renamed.empty() && metadata.empty(); }
};

/// The backup file beside `name` that contains its old header during an edit.
std::string editBackupName(std::string_view name);

/// The error to report if an edit of this file was interrupted or is in progress.
std::optional<Notice> unfinishedEdit(const Folder& folder, std::string_view name);

} // namespace cairn
