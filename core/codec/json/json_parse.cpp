// SPDX-License-Identifier: Apache-2.0
//
// A JSON document as a tree, on simdjson's On-Demand front end. The text is copied once anyway (it
// needs padding), so it is wrapped into [ ] there: any root is then an array's one element, and
// scalars at the root need no second code path. Numbers and words are read from their raw tokens:
// simdjson has no integers beyond 64 bits and knows no NaN. Containers being read are on an
// explicit stack.
#include "core/codec/json/json_value.h"

#include <simdjson.h>

#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_set>

namespace cairn {
namespace {

namespace od = simdjson::ondemand;

/// The grammar of RFC 8259 section 6; `integral` is set if there is neither fraction nor exponent.
bool isNumber(std::string_view text, bool& integral) {
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t start = i;
        while (i < text.size() && text[i] >= '0' && text[i] <= '9') {
            ++i;
        }
        return i - start;
    };
    integral = true;
    if (i < text.size() && text[i] == '-') {
        ++i;
    }
    const bool leadingZero = i < text.size() && text[i] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (leadingZero && whole > 1)) {
        return false;
    }
    if (i < text.size() && text[i] == '.') {
        integral = false;
        ++i;
        if (digits() == 0) {
            return false;
        }
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        integral = false;
        ++i;
        if (i < text.size() && (text[i] == '+' || text[i] == '-')) {
            ++i;
        }
        if (digits() == 0) {
            return false;
        }
    }
    return i == text.size();
}

template <class Number> std::optional<Number> parseAs(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

std::optional<JsonValue> parseNumber(std::string_view text) {
    bool integral = false;
    if (!isNumber(text, integral)) {
        return std::nullopt;
    }
    if (integral) {
        if (const auto value = parseAs<std::int64_t>(text)) {
            return JsonValue(*value);
        }
        if (const auto value = parseAs<std::uint64_t>(text)) {
            return JsonValue(*value);
        }
        return JsonValue(JsonBigInteger{std::string(text)});
    }
    if (const auto value = parseAs<double>(text)) {
        return JsonValue(*value);
    }
    // Out of range: zero if the exponent is negative, else infinite, as in Python.
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny =
        exponent == std::string_view::npos || text.substr(exponent + 1).starts_with('-');
    const double size = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    return JsonValue(text.starts_with('-') ? -size : size);
}

std::optional<JsonValue> parseWord(std::string_view text, bool allowNonFinite) {
    if (text == "true" || text == "false") {
        return JsonValue(text == "true");
    }
    if (text == "null") {
        return JsonValue();
    }
    if (allowNonFinite && text == "NaN") {
        return JsonValue(std::numeric_limits<double>::quiet_NaN());
    }
    if (allowNonFinite && (text == "Infinity" || text == "-Infinity")) {
        const double infinity = std::numeric_limits<double>::infinity();
        return JsonValue(text.front() == '-' ? -infinity : infinity);
    }
    return std::nullopt;
}

std::string_view trimmed(std::string_view token) {
    const std::size_t last = token.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? std::string_view() : token.substr(0, last + 1);
}

/// A container whose members are being read.
struct Frame {
    bool isObject = false;
    od::object_iterator members;
    od::array_iterator elements;
    std::size_t first = 0; ///< index of its first member in m_members or m_elements
};

/// Moves the elements from `first` to the end into a new container.
template <class T> std::vector<T> takeFrom(std::vector<T>& all, std::size_t first) {
    const auto start = all.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<T> taken(std::make_move_iterator(start), std::make_move_iterator(all.end()));
    all.erase(start, all.end());
    return taken;
}

class Parser {
public:
    Parser(std::string_view text, std::string_view name, const JsonOptions& options,
           const JsonMemberSink* sink)
        : m_name(name), m_options(options), m_sink(sink),
          m_skipped(text.starts_with("\xEF\xBB\xBF") ? 3 : 0),
          m_length(text.size() - m_skipped + 2) {
        m_buffer.reserve(m_length + simdjson::SIMDJSON_PADDING);
        m_buffer += '[';
        m_buffer += text.substr(m_skipped);
        m_buffer += ']';
        m_buffer.append(simdjson::SIMDJSON_PADDING, ' ');
    }

    Result<JsonValue> parse() {
        if (const auto error = m_parser.allocate(m_buffer.size(), m_options.maxDepth + 8)) {
            return failed(error);
        }
        if (const auto error =
                m_parser.iterate(m_buffer.data(), m_length, m_buffer.size()).get(m_document)) {
            return failed(error);
        }
        od::array root;
        if (const auto error = m_document.get_array().get(root)) {
            return failed(error);
        }
        CAIRN_CHECK(enter(root));
        while (true) {
            CAIRN_TRY(const bool more, step());
            if (!more) {
                break;
            }
        }
        const char* rest = nullptr;
        const bool atEnd = m_document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
        if (!atEnd || m_elements.size() != 1) {
            return syntax(m_elements.empty() ? Sentence("the document is empty")
                                             : "trailing text after the value",
                          location());
        }
        return std::move(m_elements.front());
    }

private:
    /// Reads the next member of the innermost container, or leaves it; false after the root's end.
    Result<bool> step() {
        Frame& top = m_stack.back();
        if (top.isObject ? !(top.members != top.members) : !(top.elements != top.elements)) {
            return leave();
        }
        od::value value;
        if (top.isObject) {
            od::field field;
            if (const auto error = (*top.members).get(field)) {
                return failed(error);
            }
            std::string_view key;
            if (const auto error = field.unescaped_key().get(key)) {
                return failed(error);
            }
            m_members.push_back({std::string(key), JsonValue()});
            value = field.value();
        } else if (const auto error = (*top.elements).get(value)) {
            return failed(error);
        }
        CAIRN_CHECK(take(value));
        return true;
    }

    /// Reads a scalar, or enters a container.
    Result<void> take(od::value& value) {
        const std::string_view token = value.raw_json_token();
        const char first = token.empty() ? '\0' : token.front();
        if (first == '{' || first == '[') {
            if (m_stack.size() > m_options.maxDepth) {
                return fail(ErrorCode::JsonTooDeep, "The JSON document is nested too deeply")
                    .inFile(m_name)
                    .at(offsetOf(token.data()))
                    .expecting(sentence("at most %1 levels", m_options.maxDepth));
            }
            if (first == '{') {
                od::object object;
                const auto error = value.get_object().get(object);
                return error ? Result<void>(failed(error)) : enter(object);
            }
            od::array array;
            const auto error = value.get_array().get(array);
            return error ? Result<void>(failed(error)) : enter(array);
        }
        if (first == '"') {
            std::string_view text;
            if (const auto error = value.get_string().get(text)) {
                return failed(error);
            }
            return add(JsonValue(std::string(text)));
        }
        const std::string_view word = trimmed(token);
        auto scalar = parseWord(word, m_options.allowNonFinite);
        if (!scalar) {
            scalar = parseNumber(word);
        }
        if (!scalar) {
            return syntax("an invalid value", offsetOf(token.data()));
        }
        return add(std::move(*scalar));
    }

    Result<void> enter(od::object& object) {
        Frame frame;
        frame.isObject = true;
        frame.first = m_members.size();
        m_sinking = m_sinking || (m_sink != nullptr && m_stack.size() == kSinkDepth &&
                                  m_stack.back().isObject && m_members.back().key == m_sink->key);
        if (const auto error = object.begin().get(frame.members)) {
            return failed(error);
        }
        m_stack.push_back(std::move(frame));
        return {};
    }
    Result<void> enter(od::array& array) {
        Frame frame;
        frame.first = m_elements.size();
        if (const auto error = array.begin().get(frame.elements)) {
            return failed(error);
        }
        m_stack.push_back(std::move(frame));
        return {};
    }

    Result<bool> leave() {
        const Frame done = m_stack.back();
        m_stack.pop_back();
        m_sinking = m_sinking && m_stack.size() > kSinkDepth;
        if (m_stack.empty()) {
            return false; // the root is in m_elements
        }
        if (!done.isObject) {
            CAIRN_CHECK(add(JsonValue(takeFrom(m_elements, done.first))));
            return true;
        }
        JsonObject object = takeFrom(m_members, done.first);
        if (m_options.refuseDuplicateKeys) {
            CAIRN_CHECK(checkUnique(object));
        }
        CAIRN_CHECK(add(JsonValue(std::move(object))));
        return true;
    }

    /// Adds a complete value to the innermost container and advances its iterator.
    Result<void> add(JsonValue value) {
        if (++m_values > m_options.maxValues) {
            return fail(ErrorCode::LimitExceeded, "The JSON document has too many values")
                .inFile(m_name)
                .expecting(sentence("at most %1", m_options.maxValues));
        }
        Frame& top = m_stack.back();
        if (top.isObject) {
            m_members.back().value = std::move(value);
            CAIRN_CHECK(offerToSink());
            ++top.members;
        } else {
            m_elements.push_back(std::move(value));
            ++top.elements;
        }
        return {};
    }

    /// Passes the last member to the sink if the sink wants it.
    Result<void> offerToSink() {
        if (!m_sinking || m_stack.size() != kSinkDepth + 1) {
            return {};
        }
        JsonMember member = std::move(m_members.back());
        m_members.pop_back();
        m_values = 0;
        if (auto taken = m_sink->take(std::move(member)); !taken) {
            return std::move(taken).error().inFile(std::string(m_name));
        }
        return {};
    }

    Result<void> checkUnique(const JsonObject& object) const {
        std::unordered_set<std::string_view> seen;
        for (const JsonMember& member : object) {
            if (!seen.insert(member.key).second) {
                return fail(ErrorCode::JsonDuplicateKey, "Duplicate key in a JSON object")
                    .inFile(m_name)
                    .inField(member.key)
                    .withHint("Readers that use the first and readers that use the last one see "
                              "different contents");
            }
        }
        return {};
    }

    std::uint64_t offsetOf(const char* position) const {
        const auto wrapped = static_cast<std::size_t>(position - m_buffer.data());
        return std::min(std::max<std::size_t>(wrapped, 1), m_length - 1) - 1 + m_skipped;
    }
    std::optional<std::uint64_t> location() {
        const char* position = nullptr;
        if (m_document.current_location().get(position) != simdjson::SUCCESS ||
            position < m_buffer.data() || position > m_buffer.data() + m_length) {
            return std::nullopt;
        }
        return offsetOf(position);
    }

    Error syntax(Sentence found, std::optional<std::uint64_t> offset) const {
        Error error =
            fail(ErrorCode::JsonSyntax, "Invalid JSON").inFile(m_name).butFound(std::move(found));
        error.where.offset = offset;
        return error;
    }

    Error failed(simdjson::error_code code) {
        if (code == simdjson::UTF8_ERROR) {
            return fail(ErrorCode::BadEncoding, "The JSON document is not UTF-8 text")
                .inFile(m_name);
        }
        if (code == simdjson::MEMALLOC || code == simdjson::CAPACITY) {
            return fail(ErrorCode::LimitExceeded, "The JSON document is too large").inFile(m_name);
        }
        // Errors of the first pass have no location: the document does not exist yet.
        return syntax(verbatim(simdjson::error_message(code)),
                      m_stack.empty() ? std::nullopt : location());
    }

    static constexpr std::size_t kSinkDepth =
        2; ///< frames above the object's members: document and root

    std::string m_name;
    JsonOptions m_options;
    const JsonMemberSink* m_sink;
    bool m_sinking = false; ///< inside the object whose members go to the sink
    std::size_t m_skipped;  ///< length of the byte order mark
    std::size_t m_length;   ///< length of the wrapped text
    std::string m_buffer;   ///< the wrapped text and padding
    od::parser m_parser;
    od::document m_document;
    std::vector<Frame> m_stack;
    std::size_t m_values = 0;
    JsonObject m_members; ///< of all open objects, the innermost one's last
    JsonArray m_elements; ///< of all open arrays, the innermost one's last
};

Result<JsonValue> parse(std::string_view text, std::string_view name, const JsonMemberSink* sink,
                        const JsonOptions& options) {
    if (text.size() > (std::size_t{1} << 31U)) {
        return fail(ErrorCode::LimitExceeded, "The JSON document is too large")
            .inFile(std::string(name))
            .butFound(sentence("%1 bytes", text.size()));
    }
    return Parser(text, name, options, sink).parse();
}

} // namespace

Result<JsonValue> parseJson(std::string_view text, std::string_view name,
                            const JsonOptions& options) {
    return parse(text, name, nullptr, options);
}

Result<JsonValue> parseJson(std::string_view text, std::string_view name,
                            const JsonMemberSink& sink, const JsonOptions& options) {
    return parse(text, name, &sink, options);
}

} // namespace cairn
