// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <optional>
#include <string>
#include <vector>

namespace cairn::formats {

/// One file of the folder, opened as a torch checkpoint. Its files and codecs belong to the
/// folder's CheckpointData; its tensors stay here until the folder decides how to use them. Not
/// thread-safe.
struct Member {
    std::string name;
    CheckpointPtr checkpoint;
    Value root; ///< tensor references are positions in `tensors`
    ValueRecords records;
    std::vector<TensorEntry>
        tensors; ///< with the names that they have in the file; aliasOf: positions here
    /// For each tensor its position in the folder's list; empty: it is part of other tensors, or
    /// not shown.
    std::vector<std::optional<TensorIndex>> placed;
    std::vector<bool> used; ///< its elements are shown as part of other tensors

    /// The tensor that a value refers to; null for other values.
    [[nodiscard]] const TensorEntry* tensor(const Value* value) const;
    [[nodiscard]] std::size_t positionOf(const TensorEntry* tensor) const {
        return static_cast<std::size_t>(tensor - tensors.data());
    }
};

/// Opens a file of the folder and adds it to `data` (files, codecs, checksums, notices; not its
/// tensors); `name` may be in a sub-folder. Fails as Checkpoint's readers do, with the file named.
Result<Member> openMember(const OpenRequest& request, const std::string& name, CheckpointData& data,
                          std::optional<Role> role);

/// The value with adjusted tensor references; tensors without a new position are removed from dicts
/// and become None in lists. Shared nodes stay shared.
Value movedTensors(const Value& value, const std::vector<std::optional<TensorIndex>>& placed);

} // namespace cairn::formats
