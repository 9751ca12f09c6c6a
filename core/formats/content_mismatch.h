// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cairn::formats {

/// Detects files that evidently do not have the content that their name suggests: empty, a Git LFS
/// pointer, a web page, all zeros. `head` contains the first bytes, `tail` the last (either may be
/// the complete file), `size` the file size. EmptyFile, LfsPointer, HtmlPage, ZeroFilled.
std::optional<Error> contentMismatch(std::span<const std::byte> head,
                                     std::span<const std::byte> tail, std::uint64_t size,
                                     const std::string& file);

} // namespace cairn::formats
