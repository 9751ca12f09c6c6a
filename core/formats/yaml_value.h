// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/model/value.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// YAML as plain values; runs/history/hparams/README.md describes tags and aliases.
namespace cairn {

inline constexpr std::size_t kMaxYamlDepth = 100;
inline constexpr std::size_t kMaxYamlValues =
    100'000; ///< also the limit for values repeated by aliases

struct YamlDocument {
    Value value;                 ///< of the first document; null if it is empty
    std::vector<Notice> notices; ///< about damage and limits
};

/// Never fails: the result contains the readable part. Executes nothing. `name`: for messages.
YamlDocument parseYaml(const std::string& text, const std::string& name);

/// A plain scalar as in PyYAML's resolver: null, boolean, integer, number, else text.
Value plainScalar(std::string_view text);
/// A scalar with an explicit tag, "tag:yaml.org,2002:int"; text for unknown tags.
Value taggedScalar(std::string_view tag, const std::string& text);

/// The class in "python/object/apply:" and similar tags; empty for other tags.
std::string_view pythonClass(std::string_view tag);

} // namespace cairn
