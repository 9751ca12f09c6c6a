// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/safetensors/safetensors_header.h"
#include "core/model/checkpoint.h"

#include <string_view>
#include <vector>

namespace cairn::formats::safetensors {

/// Adds the header's tensors as entries of `file`; their names are copied. A tensor with an invalid
/// byte range is listed without a piece. Names that `__metadata__` maps to a tensor (tied weights,
/// as save_model records them) become aliases.
void addEntries(CheckpointData& data, const SafetensorsHeader& header, FileIndex file);

/// A tensor's second name from the metadata. Views into the header.
struct Tie {
    std::string_view name; ///< the name that is not stored
    std::string_view kept; ///< the tensor whose bytes it shares
};
/// See README.md, "Tied weights". `texts` (may be null) receives the entries whose text is a
/// tensor's name although they are not ties.
std::vector<Tie> tiesOf(const SafetensorsHeader& header, std::vector<Tie>* texts = nullptr);

/// The plain values: {"__metadata__": {key: text}} without the bookkeeping of sharded saves, and
/// tensors without dimensions under their names.
Value plainValues(const std::vector<std::pair<std::string, std::string>>& metadata,
                  const std::vector<TensorEntry>& tensors);

/// Framework name for `format` in the metadata: "pt" is "torch".
std::string frameworkName(std::string_view format);

} // namespace cairn::formats::safetensors
