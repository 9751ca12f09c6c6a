// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/gui_watchdog.h"
#include "tests/ui/support/made_history.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/lone_values.h"
#include "ui/charts/plot_canvas.h"
#include "ui/widgets/button.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QMenu>
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

    void aDoubleClickEnlargesAndEscapeLeadsBack() {
        ChartBoard board;
        ChartGrid grid(board);
        grid.resize(1100, 700);
        grid.show();
        std::vector<QString> names;
        for (int i = 0; i < 20; ++i) {
            names.push_back(QStringLiteral("metric/%1").arg(i));
        }
        const CurveDataPtr data = test::falling(500);
        grid.setCharts(names,
                       [&](const QString& name) { return content(name, {test::curve(data)}); });
        QTRY_VERIFY(grid.chart(names[4]) != nullptr);
        grid.verticalScrollBar()->setValue(100);
        const QRect before = grid.chart(names[4])->geometry();
        QTest::mouseDClick(grid.chart(names[4])->canvas(), Qt::LeftButton, {}, QPoint(100, 60));
        QCOMPARE(grid.enlarged(), names[4]);
        CurveChart* large = grid.chart(names[4]);
        QVERIFY(large->height() > 600 && large->width() > 1000);
        QCOMPARE(grid.alive(), std::size_t{1});
        QVERIFY(large->backButton()->isVisible());
        QTest::keyClick(large->canvas(), Qt::Key_Escape);
        QVERIFY(grid.enlarged().isEmpty());
        QTRY_VERIFY(grid.chart(names[5]) != nullptr);
        QCOMPARE(grid.verticalScrollBar()->value(), 100);
        QCOMPARE(grid.chart(names[4])->geometry(), before);
        // By keys and by the button; a filter that hides it leads back, too.
        QTest::keyClick(grid.chart(names[4])->canvas(), Qt::Key_E);
        QCOMPARE(grid.enlarged(), names[4]);
        QTest::mouseClick(grid.chart(names[4])->backButton(), Qt::LeftButton);
        QVERIFY(grid.enlarged().isEmpty());
        grid.enlarge(names[4]);
        grid.setFilter(QStringLiteral("metric/5"));
        QVERIFY(grid.enlarged().isEmpty());
    }

    void theMenuOfAChart() {
        ChartBoard board;
        ChartGrid grid(board);
        grid.resize(1100, 700);
        grid.show();
        const CurveDataPtr data = test::falling(500);
        const std::vector<QString> names{QStringLiteral("loss"), QStringLiteral("Acc"),
                                         QStringLiteral("lr")};
        grid.setCharts(names,
                       [&](const QString& name) { return content(name, {test::curve(data)}); });
        QTRY_VERIFY(grid.chart(names[2]) != nullptr);
        const auto choose = [&](const QString& name, const QString& title) {
            const QPoint at(60, 60);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at,
                                    grid.chart(name)->mapToGlobal(at));
            QApplication::sendEvent(grid.chart(name), &event);
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            for (QAction* action : menu != nullptr ? menu->actions() : QList<QAction*>()) {
                if (action->text().startsWith(title) && action->isEnabled()) {
                    QTest::mouseClick(menu, Qt::LeftButton, {},
                                      menu->actionGeometry(action).center());
                    return true;
                }
            }
            return false;
        };
        QVERIFY(choose(names[0], QStringLiteral("Copy Image")));
        QVERIFY(!QGuiApplication::clipboard()->image().isNull());
        QVERIFY(choose(names[0], QStringLiteral("Logarithmic Y Axis")));
        QCOMPARE(board.options().yScale, Scale::Log);
        board.zoom(0.5, 100);
        QVERIFY(choose(names[0], QStringLiteral("Fit All")));
        QVERIFY(!board.isZoomed());
        QVERIFY(choose(names[1], QStringLiteral("Enlarge")));
        QCOMPARE(grid.enlarged(), names[1]);
        QVERIFY(choose(names[1], QStringLiteral("Show All Charts")));
        QTRY_VERIFY(grid.chart(names[2]) != nullptr);
        QVERIFY(choose(names[1], QStringLiteral("Hide")));
        QCOMPARE(grid.shownNames().size(), std::size_t{2});
        QTRY_VERIFY(grid.chart(names[0]) != nullptr);
        QVERIFY(choose(names[0], QStringLiteral("Show 1 Hidden")));
        QCOMPARE(grid.shownNames().size(), std::size_t{3});
    }

    void singleValuesShareACard() {
        ChartBoard board;
        ChartGrid grid(board);
        grid.resize(1100, 700);
        grid.show();
        const auto one =
            std::make_shared<CurveData>(std::vector<double>{60}, std::vector<double>{12.25});
        grid.setCharts({QStringLiteral("loss")},
                       [&](const QString& name) {
                           const bool lone = name != QStringLiteral("loss");
                           return content(name, {test::curve(lone ? one : test::falling(50))});
                       },
                       {QStringLiteral("train_runtime"), QStringLiteral("total_flos")});
        QTRY_VERIFY(grid.chart(QStringLiteral("loss")) != nullptr);
        QCOMPARE(grid.alive(), std::size_t{1});
        LoneValues* lone = grid.loneValues();
        QVERIFY(lone->isVisible());
        QCOMPARE(lone->itemCount(), 2);
        QCOMPARE(lone->itemText(0), QStringLiteral("train_runtime: 12.25 @60"));
        QVERIFY(lone->mapTo(&grid, QPoint()).y() >
                grid.chart(QStringLiteral("loss"))->geometry().bottom());
        grid.setFilter(QStringLiteral("flos"));
        QCOMPARE(lone->itemCount(), 1);
        QVERIFY(!grid.isEmpty());
        QCOMPARE(grid.exportedNames(), std::vector<QString>{QStringLiteral("total_flos")});
        grid.setFilter(QStringLiteral("loss"));
        QVERIFY(!lone->isVisible());
        grid.setFilter({});
        QVERIFY(lone->isVisible());
        // Other charts: nothing is asked of them that only those before had.
        bool askedForOthers = false;
        grid.setCharts({}, [&](const QString& name) {
            askedForOthers = true;
            return content(name, {});
        });
        QVERIFY(!askedForOthers);
    }

    void chartsGrowWithTheScreen() {
        ChartBoard board;
        ChartGrid grid(board);
        const CurveDataPtr data = test::falling(500);
        grid.setCharts(
            {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("d")},
            [&](const QString& name) { return content(name, {test::curve(data)}); });
        grid.resize(1000, 700);
        grid.show();
        const auto heightAt = [&](const QSize& size) {
            grid.resize(size);
            QTest::qWait(20);
            return grid.chart(QStringLiteral("a")) != nullptr
                       ? grid.chart(QStringLiteral("a"))->height()
                       : 0;
        };
        QTRY_VERIFY(grid.chart(QStringLiteral("d")) != nullptr);
        QVERIFY(heightAt({800, 480}) < 230);
        QVERIFY(heightAt({1500, 960}) > 300);
        QVERIFY(heightAt({3400, 2000}) > 400);
        QVERIFY(grid.chart(QStringLiteral("d"))->geometry().bottom() <=
                grid.viewport()->height()); // nothing to scroll
        QCOMPARE(grid.verticalScrollBar()->maximum(), 0);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::ChartGridTest)
#include "chart_grid_test.moc"
