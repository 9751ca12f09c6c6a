// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/gui_watchdog.h"
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

    /// Another selected checkpoint: its mark moves, and no curve is asked for or read again.
    void ticksMoveWithoutCurves() {
        ChartBoard board;
        ChartGrid grid(board);
        grid.resize(1100, 700);
        grid.show();
        int asked = 0;
        const CurveDataPtr data = test::falling(1'000'000);
        const QString loss = QStringLiteral("loss");
        grid.setCharts({loss, QStringLiteral("lr")}, [&](const QString& name) {
            ++asked;
            return content(name, {test::curve(data)});
        });
        QTRY_COMPARE(asked, 2);
        const CurveChart* chart = grid.chart(loss);
        const CurveData* before = chart->chartContent().curves[0].data.get();
        ChartTick tick;
        tick.x = 500;
        {
            const test::GuiWatchdog watchdog("ticks over two curves of 1,000,000 points");
            for (const bool selected : {false, true}) {
                tick.selected = selected;
                grid.replaceTicks([&](const QString&) { return std::vector<ChartTick>{tick}; });
                QTest::qWait(20);
            }
        }
        QCOMPARE(asked, 2);
        QCOMPARE(chart->chartContent().curves[0].data.get(), before);
        QVERIFY(chart->chartContent().ticks.at(0).selected);
        const QPointF mark(chart->canvas()->scene().frame().toX(500),
                           chart->canvas()->scene().frame().area.bottom() - 2);
        QCOMPARE(chart->canvas()->scene().tickAt(chart->chartContent(), mark), 0);
    }

    /// The slider moves while the curves of the new weight are still being made.
    void longCurvesAreSmoothedInAWorker() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(600, 300);
        chart.setContent(content(QStringLiteral("loss"), {test::curve(test::falling(300'000))}));
        chart.show();
        ChartBoard::Options options = board.options();
        {
            const test::GuiWatchdog watchdog("smoothing 300,000 points");
            for (const double weight : {0.3, 0.6, 0.9}) {
                options.smoothing = weight;
                board.setOptions(options);
            }
            QVERIFY(chart.canvas()->smoothed().empty()); // nothing was made on this thread
            QTRY_COMPARE(chart.canvas()->smoothed().size(), std::size_t{1});
        }
        const CurveDataPtr expected = smoothedCurve(*chart.chartContent().curves[0].data, 0.9);
        QCOMPARE(chart.canvas()->smoothed()[0]->y()[1000], expected->y()[1000]);
        options.smoothing = 0;
        board.setOptions(options);
        QVERIFY(chart.canvas()->smoothed().empty());
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
        QTRY_VERIFY(grid.chart(QStringLiteral("metric/999")) != nullptr); // one in a turn
        QVERIFY(grid.chart(QStringLiteral("metric/1")) == nullptr);
        QVERIFY(grid.alive() < 24);
        // The chart with the keyboard's focus stays where it is until the focus has left it.
        CurveChart* last = grid.chart(QStringLiteral("metric/999"));
        last->canvas()->setFocus();
        QVERIFY(last->isAncestorOf(QApplication::focusWidget()));
        grid.verticalScrollBar()->setValue(0);
        QCOMPARE(grid.chart(QStringLiteral("metric/999")), last);
        QTRY_VERIFY(grid.chart(QStringLiteral("metric/0")) != nullptr);
        grid.chart(QStringLiteral("metric/0"))->canvas()->setFocus();
        grid.verticalScrollBar()->setValue(1);
        QVERIFY(grid.chart(QStringLiteral("metric/999")) == nullptr);
        // Other charts scroll into view while one has the focus, whether that one is visible or
        // not.
        QTRY_VERIFY(grid.chart(QStringLiteral("metric/2")) != nullptr);
        grid.chart(QStringLiteral("metric/2"))->canvas()->setFocus();
        grid.verticalScrollBar()->setValue(grid.verticalScrollBar()->maximum() / 2);
        grid.setCharts({QStringLiteral("another")},
                       [&](const QString& name) { return content(name, {test::curve(data)}); });
        QCOMPARE(grid.alive(), std::size_t{1});
        grid.setCharts(names,
                       [&](const QString& name) { return content(name, {test::curve(data)}); });
        QTRY_VERIFY(grid.chart(QStringLiteral("metric/0")) != nullptr);
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
