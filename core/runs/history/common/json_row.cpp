// SPDX-License-Identifier: Apache-2.0
//
// simdjson's tree reads a row in well under a microsecond but knows neither Python's bare NaN nor
// integers beyond 64 bits. Both are rare: a row that it refuses is rewritten ("NaN" in quotes, a
// point after long integers) and offered once more.
#include "core/runs/history/common/json_row.h"

#include "core/base/ascii.h"
#include "core/base/number.h"
#include "core/base/number_text.h"

#include <simdjson.h>

#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

namespace cairn::history {
namespace {

constexpr std::size_t kMaxDepth = 64;        ///< of the text
constexpr std::size_t kMaxNesting = 8;       ///< nesting of objects whose numbers are read
constexpr std::size_t kMaxNumbers = 100'000; ///< of one row
constexpr std::size_t kMaxName =
    1000; ///< length of a nested member's name, including the outer names
static_assert(JsonRow::kPadding >= simdjson::SIMDJSON_PADDING);

std::optional<double> nonFinite(std::string_view text) {
    if (text == "NaN" || text == "nan") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (text == "Infinity" || text == "inf") {
        return std::numeric_limits<double>::infinity();
    }
    if (text == "-Infinity" || text == "-inf") {
        return -std::numeric_limits<double>::infinity();
    }
    return std::nullopt;
}

bool isTokenPart(char c) {
    return isDigit(c) || isLetter(c) || c == '-' || c == '+' || c == '.';
}

/// The position after the closing quote of the string whose opening quote is at `begin`.
std::size_t endOfString(std::string_view text, std::size_t begin) {
    for (std::size_t i = begin + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

/// The replacement for NaN, and for numbers that are or round to an infinity.
std::optional<std::string_view> endless(std::string_view token) {
    if (token == "NaN" || token == "Infinity" || token == "-Infinity") {
        return token;
    }
    const bool isNumber = token.find_first_of("0123456789") <= 1;
    const auto number = isNumber ? numberOfText(token) : std::nullopt;
    if (number && std::isinf(*number)) {
        return *number < 0 ? "-Infinity" : "Infinity";
    }
    return std::nullopt;
}

/// Replaces tokens that Python writes but simdjson refuses.
std::string acceptable(std::string_view text) {
    std::string result;
    result.reserve(text.size() + 64 + JsonRow::kPadding);
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '"') {
            const std::size_t end = std::min(endOfString(text, i), text.size());
            result.append(text, i, end - i);
            i = end;
            continue;
        }
        if (!isTokenPart(text[i])) {
            result += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && isTokenPart(text[end])) {
            ++end;
        }
        const std::string_view token = text.substr(i, end - i);
        const bool longInteger = token.size() >= 19 &&
                                 token.find_first_not_of("-0123456789") == std::string_view::npos &&
                                 !wholeNumberOfText(token);
        if (const auto infinite = endless(token)) {
            result.append("\"").append(*infinite).append("\"");
        } else {
            result.append(token).append(longInteger ? ".0" : "");
        }
        i = end;
    }
    return result;
}

} // namespace

struct JsonRow::State {
    simdjson::dom::parser parser;
    std::vector<JsonNumber> numbers;
    std::deque<std::string> names; ///< names of nested members
    std::size_t skipped = 0;
    bool readsTexts = false;
    std::string rewritten;
    std::string separator = ".";
    std::optional<simdjson::dom::object> root; ///< of the last row

    bool parseInto(const char* text, std::size_t size, simdjson::dom::object& object) {
        if (parser.capacity() < size || parser.max_depth() != kMaxDepth) {
            const std::size_t capacity = std::max<std::size_t>({size, parser.capacity() * 2, 4096});
            if (parser.allocate(capacity, kMaxDepth) != simdjson::SUCCESS) {
                return false;
            }
        }
        return parser.parse(text, size, false).get(object) == simdjson::SUCCESS;
    }

    void take(const simdjson::dom::object& object, const std::string& prefix, std::size_t nesting) {
        for (const auto field : object) {
            std::string_view name = field.key;
            if (prefix.size() + name.size() > kMaxName && !prefix.empty()) {
                ++skipped;
                continue;
            }
            if (!prefix.empty()) {
                name = names.emplace_back(prefix + std::string(name));
            }
            takeValue(name, field.value, nesting);
        }
    }

    void takeValue(std::string_view name, const simdjson::dom::element& value,
                   std::size_t nesting) {
        std::optional<double> number;
        std::int16_t rest = 0;
        bool isReal = false;
        const auto takeWhole = [&](Number whole) {
            number = whole.nearest;
            rest = whole.rest;
        };
        switch (value.type()) {
        case simdjson::dom::element_type::INT64:
            takeWhole(Number(value.get_int64().value_unsafe()));
            break;
        case simdjson::dom::element_type::UINT64:
            takeWhole(Number(value.get_uint64().value_unsafe()));
            break;
        case simdjson::dom::element_type::DOUBLE:
            number = value.get_double().value_unsafe();
            isReal = true;
            break;
        case simdjson::dom::element_type::STRING:
            number = nonFinite(value.get_string().value_unsafe());
            if (!number && readsTexts) {
                number = numberOfText(value.get_string().value_unsafe());
                rest = restOfText(value.get_string().value_unsafe());
            }
            isReal = true;
            break;
        case simdjson::dom::element_type::OBJECT:
            if (nesting < kMaxNesting && name.size() < kMaxName && !value["_type"].is_string()) {
                take(value.get_object().value_unsafe(), std::string(name) + separator, nesting + 1);
                return;
            }
            break;
        default:
            break;
        }
        if (number && numbers.size() < kMaxNumbers) {
            numbers.push_back({name, *number, isReal, rest});
        } else {
            ++skipped;
        }
    }
};

JsonRow::JsonRow(std::string_view separator) : m_state(std::make_unique<State>()) {
    m_state->separator = separator;
}
JsonRow::~JsonRow() = default;

void JsonRow::readTexts() {
    m_state->readsTexts = true;
}

bool JsonRow::parse(std::string_view padded) {
    State& state = *m_state;
    state.numbers.clear();
    state.names.clear();
    state.skipped = 0;
    state.root.reset();
    simdjson::dom::object object;
    if (!state.parseInto(padded.data(), padded.size(), object)) {
        state.rewritten = acceptable(padded);
        if (state.rewritten == padded) {
            return false;
        }
        const std::size_t size = state.rewritten.size();
        state.rewritten.append(kPadding, ' ');
        if (!state.parseInto(state.rewritten.data(), size, object)) {
            return false;
        }
    }
    state.root = object;
    state.take(object, {}, 0);
    return true;
}

std::span<const JsonNumber> JsonRow::numbers() const {
    return m_state->numbers;
}
std::size_t JsonRow::skipped() const {
    return m_state->skipped;
}
std::string_view JsonRow::text(std::string_view name) const {
    std::string_view text;
    if (m_state->root && m_state->root->at_key(name).get(text) != simdjson::SUCCESS) {
        return {};
    }
    return text;
}

std::size_t endOfJsonValue(std::string_view text, std::size_t begin) {
    std::size_t depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        switch (text[i]) {
        case '"':
            i = endOfString(text, i);
            if (i == std::string_view::npos) {
                return i;
            }
            --i;
            break;
        case '{':
        case '[':
            ++depth;
            break;
        case '}':
        case ']':
            if (depth == 0) {
                return i; // end of the enclosing container
            }
            --depth;
            break;
        case ',':
            if (depth == 0) {
                return i;
            }
            break;
        default:
            break;
        }
        if (depth == 0 && (text[i] == '"' || text[i] == '}' || text[i] == ']')) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

} // namespace cairn::history
