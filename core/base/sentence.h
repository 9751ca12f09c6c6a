// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits> // not <concepts>, which the moc of Qt 6.4 cannot parse
#include <utility>
#include <vector>

namespace cairn {

/// A number with its unit, such as "1.5 GB": shown with the user's decimal point.
struct Amount {
    std::string text;
};
inline Amount amount(std::string text) {
    return {std::move(text)};
}

struct SentenceArgument;

/// A sentence or clause that users read: a fixed English pattern, the key of its translations, and
/// what is put in for `%1` to `%9` and `%n` (a number with a plural). The command line and JSON
/// get text(), the window looks up the pattern and fills in the arguments (ui/text/core_text.h).
///
/// Made from literals only: what is composed is written sentence("The file %1 is missing", name),
/// so that no other text can take the place of a pattern. A value type, cheap to copy and move.
class Sentence {
public:
    constexpr Sentence() = default;
    template <std::size_t N> Sentence(const char (&literal)[N]) : m_pattern(literal) {}
    template <std::size_t N> Sentence(char (&)[N]) = delete; ///< a buffer is no literal

    /// `pattern` lives as long as the program. Use sentence(), which checks the pattern.
    Sentence(const char* pattern, std::vector<SentenceArgument> arguments);
    /// A pattern that was put together or read from a file.
    static Sentence ofPattern(std::string pattern, std::vector<SentenceArgument> arguments);

    /// In English, with the arguments in place.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool empty() const; ///< text() is empty

    [[nodiscard]] std::string_view pattern() const { return m_pattern; }
    [[nodiscard]] std::span<const SentenceArgument> arguments() const;

    friend bool operator==(const Sentence& left, const Sentence& right);

private:
    struct Filled;

    const char* m_pattern = ""; ///< a literal, or that of m_filled
    std::shared_ptr<const Filled> m_filled;
};

/// One argument. A text is shown as it is: a name, a path, a message of another program.
struct SentenceArgument {
    enum class Kind : std::uint8_t { Text, Number, Amount, Sentence };

    SentenceArgument(std::string value) : text(std::move(value)) {}
    SentenceArgument(std::string_view value) : text(value) {}
    /// A pointer to a text; a literal is a sentence.
    template <class T,
              std::enable_if_t<std::is_same_v<T, const char*> || std::is_same_v<T, char*>, int> = 0>
    SentenceArgument(const T& value) : text(value) {}
    SentenceArgument(Amount value) : kind(Kind::Amount), text(std::move(value.text)) {}
    SentenceArgument(Sentence value) : kind(Kind::Sentence), sentence(std::move(value)) {}
    template <std::size_t N>
    SentenceArgument(const char (&value)[N]) : SentenceArgument(Sentence(value)) {}
    template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    SentenceArgument(T value) : kind(Kind::Number), text(std::to_string(value)) {}
    SentenceArgument(bool) = delete;
    SentenceArgument(char) = delete; ///< a letter or a number?

    Kind kind = Kind::Text;
    std::string text;  ///< of the other kinds
    Sentence sentence; ///< of Kind::Sentence
};

/// A literal with the holes `%1` to `%<Count>`, each at least once; checked when it is compiled.
template <std::size_t Count> struct SentencePattern {
    template <std::size_t N> consteval SentencePattern(const char (&literal)[N]) : text(literal) {
        unsigned holes = 0;
        for (std::size_t i = 0; i + 1 < N; ++i) {
            if (literal[i] == '%' && literal[i + 1] >= '1' && literal[i + 1] <= '9') {
                holes |= 1U << static_cast<unsigned>(literal[i + 1] - '1');
            }
        }
        if (holes != (1U << Count) - 1U) {
            throw "the pattern has other holes than there are arguments";
        }
    }
    const char* text;
};

/// sentence("The tensor %1 has %2 elements", name, count)
template <class... Arguments>
Sentence sentence(SentencePattern<sizeof...(Arguments)> pattern, Arguments&&... arguments) {
    std::vector<SentenceArgument> all;
    all.reserve(sizeof...(Arguments));
    (all.emplace_back(std::forward<Arguments>(arguments)), ...);
    return {pattern.text, std::move(all)};
}

/// Text from outside of the core, which has no translation: a message of a library, a name.
Sentence verbatim(std::string text);

/// A text without arguments that is no literal here: a word of a table of names, a sentence that
/// was stored as text. It has a translation if it is a pattern.
Sentence fixedText(std::string_view text);

/// "1 tensor", "2 tensors", as counted(): the pattern "%n tensor" or "%n tensors".
Sentence counting(std::uint64_t count, std::string_view one, std::string_view many = {});

/// "a, b, c"; `between` is such a sign.
Sentence sentenceList(const std::vector<Sentence>& sentences, std::string_view between);

} // namespace cairn
