// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <system_error>

#include <algorithm>
#include <filesystem>

namespace cairn {

/// The form in which paths are compared: absolute, without "." and "..", and without a slash at the
/// end, so that it has a file name. Links are not resolved. Stays relative if the current folder no
/// longer exists.
inline std::filesystem::path absolutePath(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(path, error);
    const std::filesystem::path normal = (error ? path : whole).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

/// `path` is `folder` or below it. Both as absolutePath() gives them.
inline bool isAtOrBelow(const std::filesystem::path& path, const std::filesystem::path& folder) {
    return std::ranges::mismatch(folder, path).in1 == folder.end();
}

} // namespace cairn
