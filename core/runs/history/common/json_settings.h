// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/json/json_value.h"
#include "core/model/value.h"

#include <string>
#include <string_view>

namespace cairn::history {

/// A JSON tree as a tree of plain values. The last of repeated keys is used, as in Python.
/// REQUIRES: parsed with JsonOptions::maxDepth of at most 500.
Value valueOf(const JsonValue& json);

/// The text of a member; empty if there is none, or it is not a text.
std::string textIn(const JsonValue& object, std::string_view key);

} // namespace cairn::history
