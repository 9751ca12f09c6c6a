// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_writer.h"

#include "core/base/visible_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace cairn::cli {
namespace {

constexpr std::size_t kPrettyDepth = 3; // deeper values stay on one line
constexpr std::string_view kNonfinite = "nonfinite";

/// Escapes everything except plain printable characters according to JSON. REQUIRES: valid UTF-8.
std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 2);
    std::array<char, 16> buffer{};
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        const std::string_view character = text.substr(at, length);
        at += length;
        if (lead == '"' || lead == '\\') {
            out += '\\';
            out += static_cast<char>(lead);
        } else if (lead >= 0x20 && lead < 0x7F) {
            out += static_cast<char>(lead);
        } else if (lead < 0x80 || visibleText(character) != character) {
            // all characters to be escaped are in the basic plane: at most three bytes
            unsigned value = lead;
            if (length == 2) {
                value = ((lead & 0x1FU) << 6U) | (static_cast<unsigned char>(character[1]) & 0x3FU);
            } else if (length == 3) {
                value = ((lead & 0x0FU) << 12U) |
                        ((static_cast<unsigned char>(character[1]) & 0x3FU) << 6U) |
                        (static_cast<unsigned char>(character[2]) & 0x3FU);
            }
            std::snprintf(buffer.data(), buffer.size(), "\\u%04x", value);
            out += buffer.data();
        } else {
            out += character;
        }
    }
    return out;
}

bool plainAscii(std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7F || byte == '"' || byte == '\\') {
            return false;
        }
    }
    return true;
}

} // namespace

void JsonWriter::newline() {
    static constexpr std::string_view kIndent = "\n          ";
    m_out.write(kIndent.substr(0, 1 + m_frames.size()));
}

/// Writes the separator before a value or a key.
void JsonWriter::separate() {
    if (m_frames.empty()) {
        return;
    }
    Frame& frame = m_frames.back();
    if (!frame.empty) {
        m_out.write(m_frames.size() <= kPrettyDepth ? "," : ", ");
    }
    if (m_frames.size() <= kPrettyDepth) {
        newline();
    }
    if (!frame.isObject && !frame.empty) {
        ++frame.index;
    }
    frame.empty = false;
}

void JsonWriter::quoted(std::string_view text) {
    m_out.write("\"");
    if (plainAscii(text)) {
        m_out.write(text);
    } else {
        m_out.write(escaped(isValidUtf8(text) ? text : visibleText(text)));
    }
    m_out.write("\"");
}

void JsonWriter::key(std::string_view name) {
    separate();
    quoted(name);
    m_out.write(": ");
    Frame& frame = m_frames.back();
    frame.key = name;
    frame.ownNonfinite = frame.ownNonfinite || name == kNonfinite;
}

#define CAIRN_JSON_VALUE()                                                                         \
    do {                                                                                           \
        if (!m_frames.empty() && !m_frames.back().isObject) {                                      \
            separate();                                                                            \
        }                                                                                          \
    } while (false)

void JsonWriter::beginObject() {
    CAIRN_JSON_VALUE();
    m_out.write("{");
    m_frames.push_back({});
    m_frames.back().isObject = true;
}

void JsonWriter::endObject() {
    Frame& frame = m_frames.back();
    if (!frame.nonfinite.empty() && !frame.ownNonfinite) {
        const auto places = std::move(frame.nonfinite);
        key(kNonfinite);
        beginObject();
        for (const auto& [place, what] : places) {
            member(place, what);
        }
        endObject();
    }
    const bool multiline = !m_frames.back().empty && m_frames.size() <= kPrettyDepth;
    m_frames.pop_back();
    if (multiline) {
        newline();
    }
    m_out.write("}");
}

void JsonWriter::beginArray() {
    CAIRN_JSON_VALUE();
    m_out.write("[");
    m_frames.push_back({});
}

void JsonWriter::endArray() {
    const bool multiline = !m_frames.back().empty && m_frames.size() <= kPrettyDepth;
    m_frames.pop_back();
    if (multiline) {
        newline();
    }
    m_out.write("]");
}

void JsonWriter::null() {
    CAIRN_JSON_VALUE();
    m_out.write("null");
}

void JsonWriter::string(std::string_view text) {
    CAIRN_JSON_VALUE();
    quoted(text);
}

void JsonWriter::boolean(bool value) {
    CAIRN_JSON_VALUE();
    m_out.write(value ? "true" : "false");
}

void JsonWriter::digits(std::string_view decimal) {
    CAIRN_JSON_VALUE();
    m_out.write(decimal);
}

void JsonWriter::integer(std::int64_t value) {
    digits(std::to_string(value));
}

void JsonWriter::natural(std::uint64_t value) {
    digits(std::to_string(value));
}

void JsonWriter::number(double value) {
    if (!std::isfinite(value)) {
        null();
        noteNonfinite(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    std::string text(buffer.data(), end.ptr);
    if (text.find_first_of(".e") == std::string::npos) {
        text += ".0"; // readers must see that it is a real number
    }
    digits(text);
}

void JsonWriter::noteNonfinite(std::string_view what) {
    std::string place;
    for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame) {
        const std::string part = frame->isObject ? frame->key : std::to_string(frame->index);
        place = place.empty() ? part : part + "." + place;
        if (frame->isObject) {
            frame->nonfinite.emplace_back(std::move(place), what);
            return;
        }
    }
}

void JsonWriter::memberOrNull(std::string_view name, std::string_view text) {
    key(name);
    if (text.empty()) {
        null();
    } else {
        string(text);
    }
}

void JsonWriter::finish() {
    m_out.write("\n");
}

JsonDocument::JsonDocument(Output& out) : m_writer(out) {
    m_writer.beginObject();
    m_writer.member("schema", "cairn/1");
}

void JsonDocument::finish() {
    m_writer.endObject();
    m_writer.finish();
}

} // namespace cairn::cli
