// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/made_history.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QTest>

namespace cairn::ui {
namespace {

ChartContent content(const QString& name, std::vector<ChartCurve> curves) {
    ChartContent made;
    made.name = name;
    made.curves = std::move(curves);
    return made;
}

} // namespace

class ChartGridTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void aThousandMetricsMakeAFewCharts() {
        ChartBoard board;
        ChartGrid grid(board);
        grid.resize(1100, 700);
        grid.show();
        std::vector<QString> names;
        for (int i = 0; i < 1000; ++i) {
            names.push_back(QStringLiteral("metric/%1").arg(i));
        }
        int asked = 0;
        const CurveDataPtr data = test::falling(500);
        QElapsedTimer clock;
        clock.start();
        grid.setCharts(names, [&](const QString& name) {
            ++asked;
            return content(name, {test::curve(data)});
        });
        QTest::qWait(10);
        QVERIFY2(grid.alive() < 24, qPrintable(QString::number(grid.alive())));
        QVERIFY(asked < 24);
        grid.verticalScrollBar()->setValue(grid.verticalScrollBar()->maximum());
        QTest::qWait(10);
        QVERIFY(grid.chart(QStringLiteral("metric/999")) != nullptr);
        QVERIFY(grid.chart(QStringLiteral("metric/1")) == nullptr);
        QVERIFY(grid.alive() < 24);
        // The chart with the keyboard's focus stays where it is until the focus has left it.
        CurveChart* last = grid.chart(QStringLiteral("metric/999"));
        last->canvas()->setFocus();
        QVERIFY(last->isAncestorOf(QApplication::focusWidget()));
        grid.verticalScrollBar()->setValue(0);
        QCOMPARE(grid.chart(QStringLiteral("metric/999")), last);
        grid.chart(QStringLiteral("metric/0"))->canvas()->setFocus();
        grid.verticalScrollBar()->setValue(1);
        QVERIFY(grid.chart(QStringLiteral("metric/999")) == nullptr);
        // Other charts scroll into view while one has the focus, whether that one is visible or
        // not.
        grid.chart(QStringLiteral("metric/2"))->canvas()->setFocus();
        grid.verticalScrollBar()->setValue(grid.verticalScrollBar()->maximum() / 2);
        grid.setCharts({QStringLiteral("another")},
                       [&](const QString& name) { return content(name, {test::curve(data)}); });
        QCOMPARE(grid.alive(), std::size_t{1});
        grid.setCharts(names,
                       [&](const QString& name) { return content(name, {test::curve(data)}); });
        grid.chart(QStringLiteral("metric/0"))->canvas()->setFocus();
        grid.setFilter(QStringLiteral("METRIC 77"));
        QCOMPARE(grid.shownNames().size(), std::size_t{19});
        grid.setFilter(QStringLiteral("nothing like it"));
        QCOMPARE(grid.alive(), std::size_t{0});
        qInfo("  %lld ms for all of it", static_cast<long long>(clock.elapsed()));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::ChartGridTest)
#include "chart_grid_test.moc"
