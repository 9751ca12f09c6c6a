// SPDX-License-Identifier: GPL-3.0-or-later
// The window in a language from right to left.
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/inspector/histogram_view.h"
#include "ui/inspector/inspector.h"
#include "ui/shell/frame/flat_tab_bar.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/workspace.h"
#include "ui/text/language.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/link_row.h"
#include "ui/widgets/mark_box.h"

#include <QMenu>
#include <QPainter>

using namespace cairn;
using namespace cairn::ui;
using test::kTimeoutMs;
using test::WindowFixture;

namespace {

class BadgeSample : public QWidget {
protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setLayoutDirection(layoutDirection());
        paintBadge(painter, rect(), {QStringLiteral("best"), theme::Tone::Good}, font(), palette());
    }
};

std::unique_ptr<QWidget> makeWidget(const QString& name) {
    if (name == QLatin1String("bars")) {
        auto bars = std::make_unique<RowBars>();
        bars->setRows({{QStringLiteral("rank 0"), QStringLiteral("16 MB"), {}, 16},
                       {QStringLiteral("rank 1"), QStringLiteral("4 MB"), {}, 4}});
        return bars;
    }
    if (name == QLatin1String("stack")) {
        auto bar = std::make_unique<StackedBar>();
        bar->setParts({7, 2, 1});
        return bar;
    }
    if (name == QLatin1String("progress")) {
        auto bar = std::make_unique<ByteProgress>();
        bar->setShares(0.3, 0.5, theme::Tone::Accent);
        return bar;
    }
    if (name == QLatin1String("menu button")) {
        auto button = std::make_unique<Button>(QStringLiteral("Export"));
        button->setMenu(new QMenu(button.get()));
        return button;
    }
    if (name == QLatin1String("link")) {
        return std::make_unique<LinkRow>(QStringLiteral("step-400"), QStringLiteral("0.9"));
    }
    if (name == QLatin1String("badge")) {
        return std::make_unique<BadgeSample>();
    }
    auto histogram = std::make_unique<HistogramView>();
    histogram->show({1, 2, 4, 9, 20, 40, 60, 80}, -1, 7);
    return histogram;
}

QImage pictureOf(QWidget& widget) {
    widget.resize(320, 48);
    QImage image(widget.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    widget.render(&image, QPoint(), QRegion(), QWidget::RenderFlags());
    return image;
}

/// The share of cells of 8 × 8 pixels that hold something in both or in neither of two pictures.
double likeness(const QImage& a, const QImage& b) {
    constexpr int kCell = 8;
    constexpr QRgb kNear = 16; ///< mean ink of a cell, of 255
    const auto cells = [](const QImage& image) {
        std::vector<QRgb> found;
        for (int y = 0; y + kCell <= image.height(); y += kCell) {
            for (int x = 0; x + kCell <= image.width(); x += kCell) {
                int ink = 0;
                for (int k = 0; k < kCell * kCell; ++k) {
                    ink += 255 - qGray(image.pixel(x + k % kCell, y + k / kCell));
                }
                found.push_back(static_cast<QRgb>(ink / (kCell * kCell)));
            }
        }
        return found;
    };
    const std::vector<QRgb> left = cells(a);
    const std::vector<QRgb> right = cells(b);
    std::size_t same = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        same += left[i] + kNear >= right[i] && right[i] + kNear >= left[i] ? 1U : 0U;
    }
    return static_cast<double>(same) / static_cast<double>(left.size());
}

} // namespace

class MirroringTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paintedWidgetsAreMirrored_data() {
        QTest::addColumn<bool>("mirrors");
        for (const char* name : {"bars", "stack", "progress", "menu button", "link", "badge"}) {
            QTest::newRow(name) << true;
        }
        QTest::newRow("histogram") << false; // axes run from left to right in any language
    }
    void paintedWidgetsAreMirrored() {
        QFETCH(const bool, mirrors);
        const auto made = makeWidget(QLatin1String(QTest::currentDataTag()));
        const QImage plain = pictureOf(*made);
        QGuiApplication::setLayoutDirection(Qt::RightToLeft);
        const QImage other = pictureOf(*made);
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
        const QImage flipped = other.mirrored(true, false);
        const double right = likeness(plain, mirrors ? flipped : other);
        const double wrong = likeness(plain, mirrors ? other : flipped);
        QVERIFY2(right > 0.93 && right > wrong + 0.02,
                 qPrintable(QStringLiteral("%1 against %2").arg(right).arg(wrong)));
    }

    void theWindowIsMirrored() {
        QGuiApplication::setLayoutDirection(Qt::RightToLeft);
        {
            WindowFixture fixture;
            MainWindow& window = *fixture.window;
            window.resize(1440, 900);
            QVERIFY(fixture.open("tiny-llama-a/step-400"));
            const auto placeOf = [&](const QWidget* part) {
                return part->mapTo(&window, QPoint(part->width() / 2, 0)).x();
            };
            QTreeView* tree = window.navigator()->view();
            const auto* tabs = window.findChild<FlatTabBar*>();
            QVERIFY(placeOf(tree) > placeOf(tabs));
            QTRY_VERIFY(window.pages().inspector->isVisible());
            QVERIFY(placeOf(window.pages().inspector) < placeOf(tabs));
            QVERIFY(tabs->tabRect(0).left() > tabs->tabRect(1).left());

            // The box of a run is where it is painted: at the right.
            const QModelIndex run =
                window.navigator()->model()->findRun(fixture.experiment() / "tiny-llama-b");
            const QRect row = tree->visualRect(run);
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::NoModifier,
                              QPoint(row.right() - 2 - kMarkBoxSize / 2, row.center().y()));
            QCOMPARE(window.navigator()->marked().size(), std::size_t{1});
            for (int tab = 0; tab < window.actions().tabs.size(); ++tab) {
                if (!test::screenshotFolder().isEmpty() && window.workspace()->isTabEnabled(tab)) {
                    window.workspace()->setCurrentTab(tab);
                    QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kTimeoutMs);
                    QVERIFY(test::saveScreenshots(window, QStringLiteral("rtl-%1").arg(tab)));
                }
            }
        }
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
    }

    void argumentsKeepTheirDirection() {
        QCOMPARE(text::withArgumentsIsolated(QStringLiteral("%1 x %L2")).arg(QLatin1String("/a")),
                 QStringLiteral("\u2068/a\u2069 x \u2068%L2\u2069"));
    }
};

QTEST_MAIN(MirroringTest)
#include "mirroring_test.moc"
