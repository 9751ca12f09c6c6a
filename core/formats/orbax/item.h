// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/formats/format.h"

/// Private to this folder.
namespace cairn::formats::orbax {

/// Adds what a folder with a tree of arrays holds to `data`: tensors, files, notices, values.
/// `path` of `data` is set. Damage is a notice. Fails: Cancelled, LimitExceeded.
Result<void> addTree(CheckpointData& data, const FolderPtr& folder,
                     std::span<const FolderEntry> entries, const CancelToken& cancel);

/// A JSON file of the folder; a notice when it cannot be read. `sink`: as parseJson() has it.
std::optional<JsonValue> readJson(CheckpointData& data, const FolderPtr& folder,
                                  std::string_view name, const JsonMemberSink* sink = nullptr);

} // namespace cairn::formats::orbax
