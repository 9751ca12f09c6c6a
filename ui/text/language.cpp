// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/language.h"

#include <QGuiApplication>
#include <QLibraryInfo>
#include <QTranslator>

namespace cairn::ui::text {

QString installLanguage(QCoreApplication& application, const QLocale& locale) {
    const QString folder = QStringLiteral(":/i18n");
    auto* own = new QTranslator(&application);
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
    QGuiApplication::setLayoutDirection(language.textDirection());
    return own->language();
}

} // namespace cairn::ui::text
