// SPDX-License-Identifier: Apache-2.0
#include "core/base/other_machine.h"

#include "core/base/absolute_path.h"

#include <system_error>

namespace cairn {

bool isFarPath(std::string_view path) {
    return path.starts_with('/') || path.starts_with('~');
}

bool namesRemote(std::string_view text) {
    if (text.starts_with('[')) { // "[::1]:/path"
        const std::size_t end = text.find("]:");
        return end != std::string_view::npos && isFarPath(text.substr(end + 2));
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon < 2 ||
        text.substr(0, colon).find('/') != std::string_view::npos) {
        return false;
    }
    if (text.find("@[") < colon) { // "user@[::1]:/path"
        return namesRemote(text.substr(text.find('[')));
    }
    return isFarPath(text.substr(colon + 1));
}

bool isOnOtherMachine(const std::filesystem::path& path) {
    std::error_code error;
    return namesRemote(path.native()) && !std::filesystem::exists(path, error);
}

std::filesystem::path absolutePlace(const std::filesystem::path& path) {
    return isOnOtherMachine(path) ? path : absolutePath(path);
}

} // namespace cairn
