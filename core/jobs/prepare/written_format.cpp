// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/written_format.h"

#include <algorithm>

namespace cairn {

LayoutTarget layoutTarget(const FormatInfo& format) {
    return {std::string(format.id), format.layout, format.writes};
}

const FormatInfo* formatForEnding(const std::filesystem::path& output) {
    const std::string ending = output.extension().string();
    const auto isWrittenSo = [&](const FormatInfo* format) {
        return std::ranges::find(format->writes.endings, ending) != format->writes.endings.end();
    };
    const auto formats = builtinFormats();
    const auto found = std::ranges::find_if(formats, isWrittenSo);
    return found != formats.end() ? *found : nullptr;
}

} // namespace cairn
