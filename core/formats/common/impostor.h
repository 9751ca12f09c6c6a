// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cairn::formats {

/// Reports what a file is that is known not to be what its name states: empty, a Git LFS pointer, a
/// web page, zeros. `head` holds its first bytes, `tail` its last (either may be all of it), `size`
/// all that there are. EmptyFile, LfsPointer, HtmlPage, ZeroFilled.
std::optional<Error> impostor(std::span<const std::byte> head, std::span<const std::byte> tail,
                              std::uint64_t size, const std::string& file);

} // namespace cairn::formats
