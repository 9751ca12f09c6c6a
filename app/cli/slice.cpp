// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slice.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace cairn::cli {
namespace {

Error bad(std::string message, std::string_view found) {
    return fail(ErrorCode::BadSlice, std::move(message))
        .butFound(std::string(found))
        .withHint("Use Python's notation: 0:4,:8 or 3,-2:");
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<std::string_view> trimmedParts(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0;;) {
        const std::size_t end = text.find(at, start);
        parts.push_back(
            trimmed(text.substr(start, end == std::string_view::npos ? end : end - start)));
        if (end == std::string_view::npos) {
            return parts;
        }
        start = end + 1;
    }
}

Result<std::int64_t> number(std::string_view text, std::string_view whole) {
    std::int64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size()) {
        return bad("A slice contains an invalid number", whole);
    }
    return value;
}

struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool dropped = false;
};

Result<Range> parseRange(std::string_view text, std::int64_t extent) {
    const auto parts = trimmedParts(text, ':');
    if (parts.size() == 1) {
        CAIRN_TRY(std::int64_t index, number(parts[0], text));
        index += index < 0 ? extent : 0;
        if (index < 0 || index >= extent) {
            return bad("An index is out of range for the dimension of " + std::to_string(extent),
                       text);
        }
        return Range{index, index + 1, true};
    }
    if (parts.size() > 2 && !(parts.size() == 3 && (parts[2].empty() || parts[2] == "1"))) {
        return bad("Steps are not supported", text);
    }
    Range range{0, extent, false};
    if (!parts[0].empty()) {
        CAIRN_TRY(range.begin, number(parts[0], text));
    }
    if (!parts[1].empty()) {
        CAIRN_TRY(range.end, number(parts[1], text));
    }
    range.begin =
        std::clamp(range.begin < 0 ? range.begin + extent : range.begin, std::int64_t{0}, extent);
    range.end = std::clamp(range.end < 0 ? range.end + extent : range.end, range.begin,
                           std::max(range.begin, extent));
    return range;
}

} // namespace

Result<Slice> parseSlice(std::string_view text, const Shape& shape) {
    text = trimmed(text);
    if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
        text = text.substr(1, text.size() - 2);
    }
    std::vector<std::string_view> parts =
        text.empty() ? std::vector<std::string_view>{} : trimmedParts(text, ',');
    const auto dots = std::ranges::count(parts, "...");
    const std::size_t given = parts.size() - static_cast<std::size_t>(dots);
    if (dots > 1 || given > shape.size()) {
        return bad("The slice has more dimensions than the tensor's shape " + formatDims(shape),
                   text);
    }
    const auto ellipsis = dots == 1 ? std::ranges::find(parts, "...") : parts.end();
    const auto at = static_cast<std::ptrdiff_t>(ellipsis - parts.begin());
    if (dots == 1) {
        parts.erase(ellipsis);
    }
    parts.insert(parts.begin() + at, shape.size() - given, ":");
    Slice slice;
    std::vector<std::int64_t> origin;
    std::vector<std::int64_t> extent;
    std::vector<std::int64_t> kept;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        CAIRN_TRY(const Range range, parseRange(parts[d], shape[d]));
        origin.push_back(range.begin);
        extent.push_back(range.end - range.begin);
        if (!range.dropped) {
            kept.push_back(range.end - range.begin);
        }
    }
    slice.box = {Dims(std::span<const std::int64_t>(origin)),
                 Dims(std::span<const std::int64_t>(extent))};
    slice.shape = Dims(std::span<const std::int64_t>(kept));
    return slice;
}

} // namespace cairn::cli
