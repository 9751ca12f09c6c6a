// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/language.h"

#include <QGuiApplication>
#include <QLibraryInfo>
#include <QRegularExpression>
#include <QTranslator>

namespace cairn::ui::text {
namespace {

/// A catalogue whose arguments are isolated where its language runs from right to left.
class Catalogue final : public QTranslator {
public:
    using QTranslator::QTranslator;

    QString translate(const char* context, const char* source, const char* comment,
                      int count) const override {
        const QString found = QTranslator::translate(context, source, comment, count);
        return m_isolates ? withArgumentsIsolated(found) : found;
    }
    void setIsolates(bool isolates) { m_isolates = isolates; }

private:
    bool m_isolates = false;
};

/// Numbers are written with the digits of the axes, the tables and the copied rows, in every
/// language: some countries of it use them.
QLocale withLatinDigits(const QLocale& locale) {
    const auto isLatin = [](const QLocale& each) { return each.zeroDigit() == QLatin1String("0"); };
    if (isLatin(locale)) {
        return locale;
    }
    for (const QLocale& other :
         QLocale::matchingLocales(locale.language(), locale.script(), QLocale::AnyTerritory)) {
        if (isLatin(other)) {
            return other;
        }
    }
    return QLocale::c();
}

} // namespace

QString withArgumentsIsolated(QString translation) {
    static const QRegularExpression argument(QStringLiteral("(%L?[1-9n])"));
    return translation.replace(argument, QStringLiteral("\u2068\\1\u2069"));
}

QString installLanguage(QCoreApplication& application, const QLocale& locale) {
    QLocale::setDefault(withLatinDigits(QLocale()));
    const QString folder = QStringLiteral(":/i18n");
    auto* own = new Catalogue(&application);
    if (!own->load(locale, QStringLiteral("cairn"), QStringLiteral("_"), folder) &&
        !own->load(QStringLiteral("cairn_en"), folder)) {
        delete own;
        return {};
    }
    const QLocale language(own->language());
    auto* qt = new QTranslator(&application);
    if (qt->load(language, QStringLiteral("qtbase"), QStringLiteral("_"),
                 QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(qt);
    } else {
        delete qt;
    }
    QCoreApplication::installTranslator(own);
    own->setIsolates(language.textDirection() == Qt::RightToLeft);
    QGuiApplication::setLayoutDirection(language.textDirection());
    return own->language();
}

} // namespace cairn::ui::text
