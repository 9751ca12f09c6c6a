// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/formats/format.h"

/// Private to this folder.
namespace cairn::formats::orbax {

/// Adds the contents of a folder with a tree of arrays to `data`: tensors, files, notices, values.
/// `data.path` must be set. Damage becomes a notice. Fails: Cancelled, LimitExceeded.
Result<void> addTree(CheckpointData& data, const FolderPtr& folder,
                     std::span<const FolderEntry> entries, const CancelToken& cancel);

/// Reads a JSON file of the folder; adds a notice if that fails. `sink`: see parseJson().
std::optional<JsonValue> readJson(CheckpointData& data, const FolderPtr& folder,
                                  std::string_view name, const JsonMemberSink* sink = nullptr);

/// Reads a JSON file of the folder, whose content is a value. Fails as readJsonFile().
Result<JsonValue> readDocument(CheckpointData& data, const FolderPtr& folder, std::string_view name,
                               const JsonMemberSink* sink = nullptr);

} // namespace cairn::formats::orbax
