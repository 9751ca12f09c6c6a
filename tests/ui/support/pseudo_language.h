// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>

namespace cairn::ui::test {

/// A language of no country: each text of the window, the core and Qt between marks, with accents,
/// longer by 40 %. What is shown without marks did not go through tr().
class PseudoLanguage final : public QTranslator {
public:
    static constexpr QChar kBegin = QChar(0xab); ///< «
    static constexpr QChar kEnd = QChar(0xbb);   ///< »

    bool isEmpty() const override { return false; }

    QString translate(const char* context, const char* source, const char* /*comment*/,
                      int /*count*/) const override {
        const QLatin1String whose(context); // names of keys and settings of the locale stay
        if (whose == QLatin1String("QShortcut") || whose == QLatin1String("QGuiApplication")) {
            return {};
        }
        const QString text = QString::fromUtf8(source);
        const QString inner = text.trimmed();
        const auto at = text.indexOf(inner);
        QString longer(1 + 2 * inner.size() / 5, QLatin1Char('~'));
        for (qsizetype i = kWord; i < longer.size(); i += kWord + 1) {
            longer[i] = QLatin1Char(' '); // where a line may be broken
        }
        return text.left(at) + kBegin + accented(inner) + longer + kEnd +
               text.mid(at + inner.size());
    }

    /// What is left of a shown text without what went through tr().
    static QString untranslated(const QString& shown) {
        QString rest;
        int depth = 0;
        for (const QChar each : shown) {
            depth += each == kBegin ? 1 : 0;
            if (depth == 0) {
                rest += each;
            }
            depth -= each == kEnd && depth > 0 ? 1 : 0;
        }
        return rest;
    }

private:
    static constexpr qsizetype kWord = 8; ///< letters

    static QString accented(QString text) {
        static const QString plain = QStringLiteral("aeiouAEOUcn");
        static const QString marked = QStringLiteral("áèïöüÀÉÖÛçñ");
        for (qsizetype i = 0; i < text.size(); ++i) {
            const bool placeholder = i > 0 && (text[i - 1] == QLatin1Char('%') ||
                                               (i > 1 && text[i - 2] == QLatin1Char('%')));
            const auto at = placeholder ? -1 : plain.indexOf(text[i]);
            text[i] = at < 0 ? text[i] : marked[at];
        }
        return text;
    }
};

} // namespace cairn::ui::test
