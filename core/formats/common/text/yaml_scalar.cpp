// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"
#include "core/formats/yaml_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace cairn {
namespace {

constexpr std::string_view kYaml = "tag:yaml.org,2002:";

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& texts) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

constexpr auto kNulls = std::to_array<std::string_view>({"", "~", "null", "Null", "NULL"});
constexpr auto kTrue = std::to_array<std::string_view>(
    {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"});
constexpr auto kFalse = std::to_array<std::string_view>(
    {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"});
constexpr auto kInfinite = std::to_array<std::string_view>({".inf", ".Inf", ".INF"});
constexpr auto kNan = std::to_array<std::string_view>({".nan", ".NaN", ".NAN"});

std::string withoutUnderscores(std::string_view text) {
    std::string result(text);
    result.erase(std::remove(result.begin(), result.end(), '_'), result.end());
    return result;
}

std::optional<Value> integerOf(std::string_view text) {
    const bool negative = text.starts_with('-');
    std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
    int base = 10;
    if (digits.starts_with("0x") || digits.starts_with("0b") || digits.starts_with("0o")) {
        base = digits[1] == 'x' ? 16 : digits[1] == 'b' ? 2 : 8;
        digits.remove_prefix(2);
    } else if (digits.size() > 1 && digits.front() == '0') {
        base = 8;
    }
    if (digits.empty() || digits.front() == '_') {
        return std::nullopt;
    }
    const std::string plain = (negative ? "-" : "") + withoutUnderscores(digits);
    std::int64_t number = 0;
    const char* end = plain.data() + plain.size();
    const auto parsed = std::from_chars(plain.data(), end, number, base);
    if (parsed.ptr != end || parsed.ec == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (parsed.ec == std::errc::result_out_of_range) {
        return base == 10 ? std::optional(Value(BigInt{plain})) : std::nullopt;
    }
    return Value(number);
}

std::optional<Value> realOf(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view size = text.substr(negative || text.starts_with('+') ? 1 : 0);
    if (isOneOf(size, kInfinite)) {
        const double infinity = std::numeric_limits<double>::infinity();
        return Value(negative ? -infinity : infinity);
    }
    if (isOneOf(text, kNan)) {
        return Value(std::numeric_limits<double>::quiet_NaN());
    }
    // A number must begin with a digit or a point: "nan" and "inf" are text.
    if (size.empty() || (size.front() != '.' && (size.front() < '0' || size.front() > '9')) ||
        size == "." || size.front() == '_') {
        return std::nullopt;
    }
    const auto number = numberOfText(withoutUnderscores(text));
    return number ? std::optional(Value(*number)) : std::nullopt;
}

} // namespace

Value plainScalar(std::string_view text) {
    if (isOneOf(text, kNulls)) {
        return {};
    }
    if (isOneOf(text, kTrue) || isOneOf(text, kFalse)) {
        return Value(isOneOf(text, kTrue));
    }
    const char first = text.front();
    const bool mayBeNumber =
        (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    if (mayBeNumber) {
        if (auto integer = integerOf(text)) {
            return *integer;
        }
        if (auto real = realOf(text)) {
            return *real;
        }
    }
    return Value(text);
}

Value taggedScalar(std::string_view tag, const std::string& text) {
    if (!tag.starts_with(kYaml)) {
        return Value(text);
    }
    tag.remove_prefix(kYaml.size());
    constexpr std::string_view kPython = "python/";
    const bool python = tag.starts_with(kPython);
    if (python) {
        tag.remove_prefix(kPython.size());
    }
    for (const std::string_view named : {"name:", "module:"}) {
        if (python && tag.starts_with(named)) {
            return Value(tag.substr(named.size()));
        }
    }
    if (tag == "null" || tag == "none") {
        return {};
    }
    const bool resolved = tag == "bool" || tag == "int" || tag == "float" || tag == "long";
    Value value = resolved ? plainScalar(text) : Value(text);
    if (tag == "float" && value.asInt() != nullptr) {
        return Value(static_cast<double>(*value.asInt()));
    }
    return value;
}

std::string_view pythonClass(std::string_view tag) {
    for (const std::string_view kind :
         {"python/object:", "python/object/apply:", "python/object/new:"}) {
        if (tag.starts_with(kYaml) && tag.substr(kYaml.size()).starts_with(kind)) {
            return tag.substr(kYaml.size() + kind.size());
        }
    }
    return {};
}

} // namespace cairn
