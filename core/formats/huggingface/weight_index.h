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
    std::vector<std::string> files;                        ///< in the order of their first mention
    std::unordered_map<std::string, std::uint32_t> places; ///< tensor -> position in `files`
    std::optional<std::uint64_t> totalSize;                ///< bytes of all tensors, as declared
    std::vector<Notice> notices; ///< tensors that exist twice, values that are not names
};

/// Fails: BadIndex when there is no usable weight_map, OutsideFolder when it names a file by an
/// absolute path or with "..": such an index would make a conversion copy foreign files.
Result<WeightIndex> parseWeightIndex(const JsonValue& json, const std::string& file);

} // namespace cairn::formats::huggingface
