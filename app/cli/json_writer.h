// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/base/sentence.h"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::cli {

/// Writes one JSON document (RFC 8259) incrementally, so that a million tensors need no tree in
/// memory. Strings are valid UTF-8 in which control, bidi and invisible characters are \u escapes:
/// nothing is lost and nothing can control a terminal. Bytes that are not UTF-8 become the text
/// "\xNN".
///
/// A number that is not finite is written as null, and the innermost enclosing object gets a last
/// member "nonfinite": {"<path below that object, dotted>": "nan" | "inf" | "-inf"}.
///
/// REQUIRES: calls in a valid order (a key before each value of an object, matching begin and end).
class JsonWriter {
public:
    explicit JsonWriter(Output& out) : m_out(out) {}

    void beginObject();
    void endObject();
    void beginArray();
    void endArray();
    void key(std::string_view name);

    void null();
    void string(std::string_view text);
    void boolean(bool value);
    void number(double value);
    void digits(std::string_view decimal); ///< an integer of any size
    void integer(std::int64_t value);
    void natural(std::uint64_t value);

    // key and value in one
    void member(std::string_view name, std::string_view text) { key(name), string(text); }
    void member(std::string_view name, const char* text) { key(name), string(text); }
    void member(std::string_view name, const std::string& text) { key(name), string(text); }
    void member(std::string_view name, const Sentence& text) { member(name, text.text()); }
    void member(std::string_view name, bool value) { key(name), boolean(value); }
    void member(std::string_view name, double value) { key(name), number(value); }
    template <std::integral T> void member(std::string_view name, T value) {
        key(name);
        if constexpr (std::unsigned_integral<T>) {
            natural(value);
        } else {
            integer(value);
        }
    }
    /// Null if the text is empty.
    void memberOrNull(std::string_view name, std::string_view text);
    void memberOrNull(std::string_view name, const Sentence& text) {
        memberOrNull(name, std::string_view(text.text()));
    }

    /// Ends the document with a newline.
    void finish();

private:
    struct Frame {
        bool isObject = false;
        bool empty = true;
        std::uint64_t index = 0; ///< of the array's current item
        std::string key;         ///< the object's current member
        std::vector<std::pair<std::string, std::string_view>> nonfinite;
        bool ownNonfinite = false; ///< the object already has a member of that name
    };
    void separate();
    void newline();
    void noteNonfinite(std::string_view what);
    void quoted(std::string_view text);

    Output& m_out;
    std::vector<Frame> m_frames;
};

/// A document of the command line: {"schema": "cairn/1", …}. The destructor does not finish it:
/// call finish().
class JsonDocument {
public:
    explicit JsonDocument(Output& out);
    JsonWriter* operator->() { return &m_writer; }
    JsonWriter& operator*() { return m_writer; }
    void finish();

private:
    JsonWriter m_writer;
};

} // namespace cairn::cli
