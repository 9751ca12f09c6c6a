// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/core_text.h"

#include "core/formats/format.h"
#include "ui/text/plain_text.h"

#include <QByteArray>
#include <QCoreApplication>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::ui::text {
namespace {

constexpr const char* kContext = "cairn::core";
constexpr unsigned kMostTogether = 5; ///< sentences that are looked up with their surroundings
constexpr int kMostHoles = 9;

/// The catalogue's text; nothing if it has none.
std::optional<QString> translated(const QByteArray& source) {
    QString text = QCoreApplication::translate(kContext, source.constData());
    return text == QString::fromUtf8(source) ? std::nullopt : std::optional(std::move(text));
}

/// The position of a hole in a text and the letter of it.
struct Hole {
    qsizetype at;
    char mark;
};
std::optional<Hole> nextHole(const QString& text, qsizetype from) {
    for (qsizetype at = text.indexOf(QLatin1Char('%'), from); at >= 0 && at + 1 < text.size();
         at = text.indexOf(QLatin1Char('%'), at + 1)) {
        const QChar mark = text[at + 1];
        if (mark == QLatin1Char('n') || (mark >= QLatin1Char('1') && mark <= QLatin1Char('9'))) {
            return Hole{at, mark.toLatin1()};
        }
    }
    return std::nullopt;
}

/// The key of a catalogue for a sentence together with some of the sentences in its arguments.
/// Its holes have the numbers that resources/translations/core_texts.py gives them.
class Together {
public:
    /// `chosen`: a bit for each sentence in an argument, in the order in which they are met.
    Together(const Sentence& sentence, unsigned chosen) : m_chosen(chosen) { add(sentence); }

    [[nodiscard]] unsigned met() const { return m_met; }
    [[nodiscard]] bool isUsable() const { return m_numbers <= kMostHoles; }
    [[nodiscard]] QByteArray key() const { return m_key.toUtf8(); }
    [[nodiscard]] const SentenceArgument* at(char mark) const {
        const auto hole = std::ranges::find(m_holes, mark, &Filled::mark);
        return hole == m_holes.end() ? nullptr : hole->argument;
    }

private:
    struct Filled {
        char mark;
        const SentenceArgument* argument;
    };

    void add(const Sentence& sentence) {
        const QString pattern = fromUtf8(sentence.pattern());
        qsizetype from = 0;
        for (auto hole = nextHole(pattern, 0); hole; hole = nextHole(pattern, hole->at + 2)) {
            const auto all = sentence.arguments();
            const std::size_t index =
                hole->mark == 'n' ? 0 : static_cast<std::size_t>(hole->mark - '1');
            if (index < all.size()) {
                m_key += pattern.mid(from, hole->at - from);
                from = hole->at + 2;
                put(all[index], hole->mark);
            }
        }
        m_key += pattern.mid(from);
    }

    void put(const SentenceArgument& argument, char mark) {
        if (argument.kind == SentenceArgument::Kind::Sentence) {
            const unsigned own = m_met++;
            if (own < kMostTogether && ((m_chosen >> own) & 1U) != 0) {
                add(argument.sentence);
                return;
            }
        }
        auto hole = std::ranges::find(m_holes, &argument, &Filled::argument);
        if (hole == m_holes.end()) {
            const bool counts = mark == 'n' && at('n') == nullptr;
            m_numbers += counts ? 0 : 1;
            const char own = counts          ? 'n'
                             : m_chosen == 0 ? mark
                                             : static_cast<char>('0' + m_numbers);
            hole = m_holes.insert(hole, {own, &argument});
        }
        m_key += QLatin1Char('%');
        m_key += QLatin1Char(hole->mark);
    }

    static QString fromUtf8(std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    }

    unsigned m_chosen;
    unsigned m_met = 0;
    int m_numbers = 0;
    QString m_key;
    std::vector<Filled> m_holes;
};

QString shown(const SentenceArgument& argument) {
    switch (argument.kind) {
    case SentenceArgument::Kind::Sentence:
        return coreText(argument.sentence);
    case SentenceArgument::Kind::Amount:
        return inLocale(fromCore(argument.text));
    case SentenceArgument::Kind::Number:
    case SentenceArgument::Kind::Text:
        break;
    }
    return fromCore(argument.text);
}

QString filled(const QString& text, const Together& sentence) {
    QString result;
    qsizetype from = 0;
    for (auto hole = nextHole(text, 0); hole; hole = nextHole(text, hole->at + 2)) {
        if (const SentenceArgument* argument = sentence.at(hole->mark)) {
            result += text.mid(from, hole->at - from) + shown(*argument);
            from = hole->at + 2;
        }
    }
    return result + text.mid(from);
}

} // namespace

QString coreText(const Sentence& sentence) {
    const unsigned inside = std::min(Together(sentence, ~0U).met(), kMostTogether);
    for (unsigned chosen = (1U << inside) - 1U; chosen > 0; --chosen) {
        const Together together(sentence, chosen);
        if (const auto text = together.isUsable() ? translated(together.key()) : std::nullopt) {
            return filled(*text, together);
        }
    }
    const Together alone(sentence, 0);
    return filled(translated(alone.key()).value_or(QString::fromUtf8(alone.key())), alone);
}

QString coreText(std::string_view fixed) {
    const QString text = fromCore(fixed);
    return translated(text.toUtf8()).value_or(text);
}

QString formatName(std::string_view id) {
    const FormatInfo* format = findFormat(id);
    // What is in parentheses is for the list of formats.
    return format != nullptr ? coreText(format->title).section(QStringLiteral(" ("), 0, 0)
                             : fromCore(id);
}

} // namespace cairn::ui::text
