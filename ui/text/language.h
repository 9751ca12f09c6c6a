// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>

class QCoreApplication;

namespace cairn::ui::text {

/// Loads the catalogues for the first of the user's languages (LANGUAGE, LC_MESSAGES, LANG) that
/// Cairn is translated into, English if there is none: Cairn's own and, where it is installed, Qt's
/// for the same language, so that no dialog mixes two. Sets the layout direction of that language.
/// Once, on the GUI thread, before the first widget; the catalogues belong to `application`.
/// Returns the language, as "de_DE".
QString installLanguage(QCoreApplication& application, const QLocale& locale = QLocale::system());

/// The arguments of a translation ("%1") between marks that keep the direction of what is put in,
/// so that a path or a number in a sentence from right to left is not torn apart.
QString withArgumentsIsolated(QString translation);

} // namespace cairn::ui::text
