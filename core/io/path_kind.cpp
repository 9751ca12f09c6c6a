// SPDX-License-Identifier: Apache-2.0
#include "core/io/path_kind.h"

#include "core/io/remote_name.h"

namespace cairn {

bool isFolderPath(const std::filesystem::path& path) {
    std::error_code error;
    const auto type = std::filesystem::status(path, error).type();
    if (type != std::filesystem::file_type::not_found || !namesRemote(path.native())) {
        return type == std::filesystem::file_type::directory;
    }
    const auto place = openRemote(path);
    return place && place->name.empty();
}

Result<void> checkOutputIsHere(const std::filesystem::path& output) {
    std::error_code error;
    if (!namesRemote(output.native()) || std::filesystem::exists(output.parent_path(), error)) {
        return {};
    }
    return fail(ErrorCode::Unsupported, "The output cannot be written on another machine")
        .inField("output")
        .butFound(verbatim(output.string()))
        .withHint("Name an output on this machine, or all inputs on the host of the output");
}

} // namespace cairn
