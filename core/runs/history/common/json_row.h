// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace cairn::history {

struct JsonNumber {
    std::string_view name; ///< members of inner objects: "outer.inner"
    double value = 0;
    bool isReal = false; ///< written with a fraction or exponent, or not finite
};

/// Reads the numbers out of one JSON object after the other (a line, a row of a log), quickly and
/// with one buffer. NaN, Infinity and -Infinity are numbers, bare as Python writes them or as text
/// as W&B does; integers of any size are rounded as a conversion rounds. Everything else (text,
/// booleans, null, lists) is left out and counted. One thread.
class JsonRow {
public:
    /// This many bytes after the text given to parse() must be readable.
    static constexpr std::size_t kPadding = 64;

    JsonRow();
    JsonRow(const JsonRow&) = delete;
    JsonRow& operator=(const JsonRow&) = delete;
    ~JsonRow();

    /// False when the text is not JSON object; then there are no numbers.
    bool parse(std::string_view padded);
    /// In file order; names live until the next parse(). A repeated key comes repeatedly.
    [[nodiscard]] std::span<const JsonNumber> numbers() const;
    [[nodiscard]] std::size_t skipped() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The end of the JSON value that starts at text[begin] (after its last character), found by its
/// brackets and quotes alone; npos when it is truncated.
std::size_t endOfJsonValue(std::string_view text, std::size_t begin);

} // namespace cairn::history
