// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/json/json_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::formats::huggingface {

/// `model.safetensors.index.json`: {"metadata": {"total_size": n}, "weight_map": {tensor: file}}.
struct WeightIndex {
    std::vector<std::string> files;                        ///< in order of first occurrence
    std::unordered_map<std::string, std::uint32_t> places; ///< tensor -> position in `files`
    std::optional<std::uint64_t> totalSize;                ///< bytes of all tensors, as declared
    std::vector<Notice> notices; ///< repeated tensors, values that are not names
};

/// Fails: BadIndex without a usable weight_map, OutsideFolder if it contains an absolute path or
/// "..": such an index would make a conversion copy unrelated files.
Result<WeightIndex> parseWeightIndex(const JsonValue& json, const std::string& file);

} // namespace cairn::formats::huggingface
