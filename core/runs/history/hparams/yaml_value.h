// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/model/value.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// YAML as plain values; see README.md for what becomes of tags and aliases.
namespace cairn::history::hparams {

inline constexpr std::size_t kMaxYamlDepth = 100;
inline constexpr std::size_t kMaxYamlValues = 100'000; ///< and as many again by aliases

struct YamlDocument {
    Value value;                 ///< of the first document; null when it is empty
    std::vector<Notice> notices; ///< where it is broken, and limits
};

/// Never fails: what could be made out is in the result. Executes nothing. `name`: for messages.
YamlDocument parseYaml(const std::string& text, const std::string& name);

/// A plain scalar as PyYAML's resolver reads it: null, boolean, integer, number, else text.
Value plainScalar(std::string_view text);
/// A scalar with an explicit tag, "tag:yaml.org,2002:int"; text when the tag states nothing.
Value taggedScalar(std::string_view tag, const std::string& text);

/// "python/object/apply:" and so on: the class after it; empty when the tag is none of a Python
/// object.
std::string_view pythonClass(std::string_view tag);

} // namespace cairn::history::hparams
