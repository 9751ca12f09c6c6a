// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/screenshots.h"
#include "ui/shell/screenshots/screenshots.h"
#include "ui/theme/theme.h"

#include <QTest>

namespace cairn::ui {

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// In some desktop palettes the inactive highlight is close to the background; the tint is
    /// computed from the active one for all groups.
    void selectedRowsShowInAnInactiveWindow() {
        for (QPalette palette : {test::lightPalette(), darkDesktopPalette()}) {
            const QColor ground = palette.color(QPalette::Active, QPalette::Base);
            palette.setColor(QPalette::Inactive, QPalette::Highlight, ground);
            palette.setColor(QPalette::Disabled, QPalette::Highlight, ground);
            theme::quietSelection(palette);
            const QColor active = palette.color(QPalette::Active, QPalette::Highlight);
            QVERIFY(active != ground);
            QCOMPARE(palette.color(QPalette::Inactive, QPalette::Highlight), active);
            QVERIFY(palette.color(QPalette::Disabled, QPalette::Highlight) !=
                    palette.color(QPalette::Disabled, QPalette::Base));
            QCOMPARE(palette.color(QPalette::Inactive, QPalette::HighlightedText),
                     palette.color(QPalette::Inactive, QPalette::Text));
        }
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::ThemeTest)
#include "theme_test.moc"
