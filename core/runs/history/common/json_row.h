// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace cairn::history {

struct JsonNumber {
    std::string_view name; ///< nested members: "outer.inner"
    double value = 0;
    bool isReal = false;   ///< written with a fraction or exponent, or not finite
    std::int16_t rest = 0; ///< of an integer of 64 bits: what rounding to `value` took (Number)
};

/// Reads the numbers from a sequence of JSON objects (lines, rows of a log), fast and with one
/// buffer. NaN, Infinity and -Infinity are numbers, whether bare as Python writes them or as text
/// as in W&B; integers beyond 64 bits are rounded to double. All other values (text, booleans,
/// null, lists) are skipped and counted, and so are objects of a tracker's type ("_type": images,
/// tables). Not thread-safe.
class JsonRow {
public:
    /// This many bytes after the text given to parse() must be readable.
    static constexpr std::size_t kPadding = 64;

    /// `separator`: between the names of nested objects.
    explicit JsonRow(std::string_view separator = ".");
    JsonRow(const JsonRow&) = delete;
    JsonRow& operator=(const JsonRow&) = delete;
    ~JsonRow();

    /// From now on, texts that are numbers are numbers: fairseq writes "loss": "9.25".
    void readTexts();

    /// False if the text is not a JSON object; then there are no numbers.
    bool parse(std::string_view padded);
    /// In file order; names are valid until the next parse(). Repeated keys are all listed.
    [[nodiscard]] std::span<const JsonNumber> numbers() const;
    [[nodiscard]] std::size_t skipped() const;
    /// The text of a member of the outermost object, valid until the next parse(); empty if it is
    /// missing or not a text.
    [[nodiscard]] std::string_view text(std::string_view name) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The position after the JSON value that starts at text[begin], found from its brackets and quotes
/// only; npos if it is truncated.
std::size_t endOfJsonValue(std::string_view text, std::size_t begin);

} // namespace cairn::history
