// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/core_text.h"

#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>

#include <optional>
#include <vector>

namespace cairn::ui::text {
namespace {

constexpr const char* kContext = "cairn::core";
constexpr const char* kProbe = "incomplete"; ///< translated in every catalogue but English
constexpr int kMaxDepth = 3;                 ///< a sentence in an argument of a sentence
constexpr int kMaxKnown = 4096;              ///< remembered results
constexpr int kLeastFixed = 5;               ///< letters of a template; fewer match anything
constexpr int kLeastAlone = 10;  ///< letters of a template that is a sentence with any arguments
constexpr int kMaxLength = 2000; ///< of a sentence; longer ones are logs
constexpr int kMaxParts = 40;    ///< of a list of sentences

/// "The file %1 is missing": the texts around the holes. %n is a number, %1 to %9 anything.
struct Template {
    QByteArray source;
    QStringList parts;
    std::vector<QChar> holes;
    qsizetype fixed = 0;
};

struct Sentences {
    QSet<QString> exact;
    std::vector<Template> templates;
};

/// Without a regular expression: the list is parsed when the first sentence is shown.
Template parsed(const QString& line) {
    Template result{line.toUtf8(), {}, {}, 0};
    qsizetype from = 0;
    for (qsizetype at = line.indexOf(QLatin1Char('%')); at >= 0 && at + 1 < line.size();
         at = line.indexOf(QLatin1Char('%'), at + 1)) {
        const QChar hole = line[at + 1];
        if (hole == QLatin1Char('n') || (hole >= QLatin1Char('1') && hole <= QLatin1Char('9'))) {
            result.parts << line.mid(from, at - from);
            result.holes.push_back(hole);
            from = at + 2;
        }
    }
    result.parts << line.mid(from);
    result.fixed = line.size() - 2 * static_cast<qsizetype>(result.holes.size());
    return result;
}

const Sentences& sentences() {
    static const Sentences all = [] {
        Sentences found;
        QFile file(QStringLiteral(":/i18n/core_sentences.txt"));
        if (!file.open(QIODevice::ReadOnly)) {
            return found;
        }
        for (const QByteArray& each : file.readAll().split('\n')) {
            QString line = QString::fromUtf8(each);
            line.replace(QLatin1String("\\n"), QLatin1String("\n"));
            Template candidate =
                line.contains(QLatin1Char('%')) ? parsed(line) : Template{{}, {}, {}, 0};
            if (candidate.holes.empty()) {
                found.exact.insert(line);
            } else if (candidate.fixed >= kLeastFixed) {
                found.templates.push_back(std::move(candidate));
            }
        }
        return found;
    }();
    return all;
}

bool isNumber(QStringView text) {
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar each) {
        return each.isDigit() || each == QLatin1Char(',') || each == QLatin1Char('.');
    });
}

/// The arguments, if the text is made from the template.
std::optional<QStringList> arguments(const Template& candidate, const QString& text) {
    const QStringList& parts = candidate.parts;
    if (text.size() < candidate.fixed || !text.startsWith(parts.front()) ||
        !text.endsWith(parts.back())) {
        return std::nullopt;
    }
    QStringList found;
    qsizetype from = parts.front().size();
    const qsizetype end = text.size() - parts.back().size();
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size();
        const qsizetype to = last ? end : text.indexOf(parts[i], from);
        if (to < from || to > end) {
            return std::nullopt;
        }
        const QString argument = text.mid(from, to - from);
        if (candidate.holes[static_cast<std::size_t>(i - 1)] == QLatin1Char('n') &&
            !isNumber(argument)) {
            return std::nullopt;
        }
        found << argument;
        from = to + parts[i].size();
    }
    return found;
}

QString translated(const QByteArray& source) {
    return QCoreApplication::translate(kContext, source.constData());
}

QString render(const QString& text, int depth);

bool isAmount(const QString& argument) {
    static const QRegularExpression amount(
        QStringLiteral("^[0-9]+([.][0-9]+)?( (k|M|G|T|P)?B(/s)?)?$"));
    return amount.match(argument).hasMatch();
}

QString argumentText(const QString& argument, int depth) {
    if (argument.contains(QLatin1Char('.')) && isAmount(argument)) {
        return inLocale(argument);
    }
    return argument.contains(QLatin1Char(' ')) ? render(argument, depth + 1) : argument;
}

bool isKnown(const QString& text, int depth) {
    return isAmount(text) || render(text, depth + 1) != text;
}

/// "%1 from %2" is also in the name of a folder, which must not be translated, and "%1 does not
/// contain %2" in a sentence without a translation: a template with few letters of its own is a
/// sentence only if its arguments are names, amounts or sentences, and one that begins with an
/// argument only if no other sentence begins there.
bool isPlausible(const Template& candidate, const QStringList& values, int depth) {
    static const QRegularExpression article(QStringLiteral("^(The|An?|This|No|Some) "));
    if (candidate.parts.front().isEmpty() && article.match(values.front()).hasMatch() &&
        !isKnown(values.front(), depth)) {
        return false;
    }
    return candidate.fixed >= kLeastAlone ||
           std::all_of(values.begin(), values.end(), [depth](const QString& value) {
               return !value.contains(QLatin1Char('/')) &&
                      (!value.contains(QLatin1Char(' ')) || isKnown(value, depth));
           });
}

QString filled(const Template& found, const QStringList& values, int depth) {
    const Template target = parsed(translated(found.source));
    QString result = target.parts.front();
    for (std::size_t i = 0; i < target.holes.size(); ++i) {
        for (std::size_t k = 0; k < found.holes.size(); ++k) {
            if (found.holes[k] == target.holes[i]) {
                result += argumentText(values[static_cast<qsizetype>(k)], depth);
                break;
            }
        }
        result += target.parts[static_cast<qsizetype>(i) + 1];
    }
    return result;
}

/// "A: b" and "a, b" of known sentences; nothing if no part is one.
QString joined(const QString& text, int depth) {
    for (const char* between : {"; ", ": ", ", "}) {
        const QString sign = QLatin1String(between);
        if (!text.contains(sign)) {
            continue;
        }
        QStringList parts = text.split(sign);
        if (sign.startsWith(QLatin1Char(':'))) { // what follows is a sentence with its own
            parts = {parts.front(), text.mid(parts.front().size() + sign.size())};
        }
        if (parts.size() > kMaxParts) {
            return text;
        }
        bool known = false;
        for (QString& part : parts) {
            const QString shown = render(part, depth + 1);
            known = known || shown != part;
            part = shown;
        }
        if (known) {
            return parts.join(sign);
        }
    }
    return text;
}

QString render(const QString& text, int depth) {
    const Sentences& all = sentences();
    if (all.exact.contains(text)) {
        return translated(text.toUtf8());
    }
    if (depth > kMaxDepth) {
        return text;
    }
    const Template* best = nullptr;
    QStringList values;
    for (const Template& each : all.templates) {
        const bool counts = each.holes.front() == QLatin1Char('n'); // "%n files" before "%1 files"
        if (best != nullptr && each.fixed + (counts ? 1 : 0) <= best->fixed) {
            continue;
        }
        if (const auto found = arguments(each, text); found && isPlausible(each, *found, depth)) {
            best = &each;
            values = *found;
        }
    }
    return best != nullptr ? filled(*best, values, depth) : joined(text, depth);
}

} // namespace

QString coreText(std::string_view sentence) {
    const QString text = fromCore(sentence);
    const QString probe = translated(kProbe);
    if (text.isEmpty() || text.size() > kMaxLength || probe == QLatin1String(kProbe)) {
        return text; // English is what the core writes
    }
    thread_local QHash<QString, QString> known;
    thread_local QString language;
    if (probe != language) {
        language = probe;
        known.clear();
    }
    if (const auto at = known.constFind(text); at != known.constEnd()) {
        return *at;
    }
    if (known.size() >= kMaxKnown) {
        known.clear();
    }
    const QString shown = render(text, 0);
    known.insert(text, shown);
    return shown;
}

} // namespace cairn::ui::text
