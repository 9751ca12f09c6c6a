// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cairn::formats::safetensors {

/// Appends the text as a JSON string in its shortest form. REQUIRES: valid UTF-8.
void appendQuoted(std::string& out, std::string_view text);

} // namespace cairn::formats::safetensors
