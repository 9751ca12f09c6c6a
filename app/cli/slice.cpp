// SPDX-License-Identifier: Apache-2.0
#include "app/cli/slice.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace cairn::cli {
namespace {

Error bad(Sentence message, std::string_view found) {
    return fail(ErrorCode::BadSlice, std::move(message))
        .butFound(verbatim(std::string(found)))
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
    StridedRange elements;
    bool dropped = false;
};

/// A bound of a slice as Python interprets it: negative numbers count from the end, and what is
/// out of range becomes `low` or `high`.
std::int64_t bound(std::int64_t value, std::int64_t extent, std::int64_t low, std::int64_t high) {
    return std::clamp(value < 0 ? value + extent : value, low, high);
}

Result<Range> parseRange(std::string_view text, std::int64_t extent) {
    const auto parts = trimmedParts(text, ':');
    if (parts.size() == 1) {
        CAIRN_TRY(std::int64_t index, number(parts[0], text));
        index += index < 0 ? extent : 0;
        if (index < 0 || index >= extent) {
            return bad(sentence("An index is out of range for the dimension of %1", extent), text);
        }
        return Range{{index, 1, 1}, true};
    }
    std::int64_t step = 1;
    if (parts.size() == 3 && !parts[2].empty()) {
        CAIRN_TRY(step, number(parts[2], text));
    }
    if (parts.size() > 3 || step == 0 || step == std::numeric_limits<std::int64_t>::min()) {
        return bad("A slice contains an invalid step", text);
    }
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? extent : extent - 1;
    std::int64_t begin = step > 0 ? low : high;
    std::int64_t end = step > 0 ? high : low;
    if (!parts[0].empty()) {
        CAIRN_TRY(const std::int64_t given, number(parts[0], text));
        begin = bound(given, extent, low, high);
    }
    if (!parts[1].empty()) {
        CAIRN_TRY(const std::int64_t given, number(parts[1], text));
        end = bound(given, extent, low, high);
    }
    const std::int64_t distance = step > 0 ? end - begin : begin - end;
    const std::int64_t width = step > 0 ? step : -step;
    const std::int64_t count = distance > 0 ? (distance - 1) / width + 1 : 0;
    return Range{{count > 0 ? begin : 0, count > 0 ? step : 1, count}, false};
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
        return bad(
            sentence("The slice has more dimensions than the tensor's shape %1", formatDims(shape)),
            text);
    }
    const auto ellipsis = dots == 1 ? std::ranges::find(parts, "...") : parts.end();
    const auto at = static_cast<std::ptrdiff_t>(ellipsis - parts.begin());
    if (dots == 1) {
        parts.erase(ellipsis);
    }
    parts.insert(parts.begin() + at, shape.size() - given, ":");
    Slice slice;
    std::vector<std::int64_t> kept;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        CAIRN_TRY(const Range range, parseRange(parts[d], shape[d]));
        slice.ranges.push_back(range.elements);
        if (!range.dropped) {
            kept.push_back(range.elements.count);
        }
    }
    slice.shape = Dims(std::span<const std::int64_t>(kept));
    return slice;
}

} // namespace cairn::cli
