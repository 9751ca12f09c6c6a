// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <optional>
#include <string>
#include <vector>

namespace cairn::formats {

/// One file of the folder, opened as the torch checkpoint that it is. Its files and codecs are part
/// of the folder's CheckpointData; its tensors wait here until the folder knows what they are. One
/// thread.
struct Member {
    std::string name;
    CheckpointPtr checkpoint;
    Value root; ///< tensor references are positions in `tensors`
    std::vector<TensorEntry>
        tensors; ///< under the names that they have in the file; aliasOf: positions here
    /// Where each of them went in the folder's list; nothing: it is part of others, or not shown.
    std::vector<std::optional<TensorIndex>> placed;
    std::vector<bool> used; ///< its elements are shown as part of others

    /// The tensor that a value refers to; null for other values.
    [[nodiscard]] const TensorEntry* tensor(const Value* value) const;
    [[nodiscard]] std::size_t positionOf(const TensorEntry* tensor) const {
        return static_cast<std::size_t>(tensor - tensors.data());
    }
};

/// Opens a file of the folder and takes it into `data` (files, codecs, checksums, notices; not its
/// tensors); `name` may be in a sub-folder. Fails as Checkpoint's readers do, with the file named.
Result<Member> openMember(const OpenRequest& request, const std::string& name, CheckpointData& data,
                          Role role);

/// The value with its tensor references moved to where the tensors went; those that went nowhere
/// leave dicts and are null in lists. Nodes that are shared stay shared.
Value movedTensors(const Value& value, const std::vector<std::optional<TensorIndex>>& placed);

} // namespace cairn::formats
