// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Classes of ASCII characters, independent of the program's locale: file names and tensor names
/// are bytes, not text of a language. Any thread.
namespace cairn {

constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

constexpr bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace cairn
