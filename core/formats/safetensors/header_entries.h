// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/safetensors_header.h"
#include "core/model/checkpoint.h"

#include <string_view>
#include <vector>

namespace cairn::formats::safetensors {

/// The header's tensors as entries of `file`; names kept by the header are copied. A tensor whose
/// byte range is wrong is listed without a piece. Names that `__metadata__` maps to a tensor (tied
/// weights, as safetensors' save_model notes them) become aliases.
void addEntries(CheckpointData& data, const SafetensorsHeader& header, FileIndex file);

/// A tensor's second name, as the metadata records it. Views into the header.
struct Tie {
    std::string_view name; ///< that is not stored
    std::string_view kept; ///< the tensor that holds its bytes
};
/// README.md, "Tied weights". `texts`, when not null, gets the entries whose text is a tensor's
/// name and that are none.
std::vector<Tie> tiesOf(const SafetensorsHeader& header, std::vector<Tie>* texts = nullptr);

/// The plain values: {"__metadata__": {key: text}}, without the bookkeeping of sharded saves, and
/// the tensors without dimensions under their names.
Value plainValues(const std::vector<std::pair<std::string, std::string>>& metadata,
                  const std::vector<TensorEntry>& tensors);

/// The framework that `format` in the metadata stands for: "pt" is "torch".
std::string frameworkName(std::string_view format);

} // namespace cairn::formats::safetensors
