// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn {

/// Text from a file, safe to print: control, escape, bidi and zero-width characters and invalid
/// UTF-8 become visible escapes such as \x1b or \u202e, so that a name can neither control a
/// terminal nor forge a line of output.
std::string visibleText(std::string_view text);

/// Shortens the middle of long text: "model.lay…q_proj". `width` counts bytes and is at least 8.
std::string elideMiddle(std::string_view text, std::size_t width);

/// 1536 -> "1.5 kB", 16.1e9 -> "16.1 GB": decimal units.
std::string formatBytes(std::uint64_t bytes);

/// True if the text is valid UTF-8 (no surrogates, no overlong forms).
bool isValidUtf8(std::string_view text);

} // namespace cairn
