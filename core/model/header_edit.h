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
    NameRules rename;       ///< of tensors
    std::string renameText; ///< the same as it was written
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> unset;
    [[nodiscard]] bool empty() const { return rename.empty() && set.empty() && unset.empty(); }
};

struct RenamedTensor {
    std::string from;
    std::string to;
};

/// A metadata key that changes; nothing: it is missing.
struct MetadataChange {
    std::string key;
    std::optional<std::string> before;
    std::optional<std::string> after;
};

/// A header with the changes, not yet written. Everything else is unchanged.
struct EditedHeader {
    std::uint64_t dataStart = 0; ///< where the data begin in the file as it is
    std::uint64_t leastSize = 0; ///< bytes of the shortest new header
    /// All metadata as they are in the file, in its order.
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<RenamedTensor> renamed;
    std::vector<MetadataChange> metadata;
    /// The new header, of exactly this many bytes. REQUIRES: at least leastSize.
    std::function<std::vector<std::byte>(std::uint64_t size)> bytes;
    std::uint64_t mostSize = 0; ///< that the format's readers take
    [[nodiscard]] bool hasNoChanges() const { return renamed.empty() && metadata.empty(); }
};

/// The file beside `name` that holds its old header while it is edited.
std::string editBackupName(std::string_view name);

/// The error to report if an edit of this file was interrupted or is in progress.
std::optional<Notice> unfinishedEdit(const Folder& folder, std::string_view name);

} // namespace cairn
