// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/made_history.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/chart_controls.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/curve_ink.h"
#include "ui/charts/curve_list.h"
#include "ui/charts/curve_table.h"
#include "ui/charts/line_layer.h"
#include "ui/charts/plot_canvas.h"
#include "ui/widgets/button.h"
#include "ui/widgets/info_mark.h"

#include <QAbstractItemModelTester>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolTip>

#include <filesystem>
#include <limits>
#include <random>
#include <set>

namespace cairn::ui {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

ChartContent content(const QString& name, std::vector<ChartCurve> curves) {
    ChartContent made;
    made.name = name;
    made.curves = std::move(curves);
    return made;
}

ChartTick tick(double x, const char* path, ChartTick::State state = ChartTick::State::Whole) {
    ChartTick made;
    made.x = x;
    made.checkpoint = path;
    made.label = QString::fromLatin1(path);
    made.state = state;
    return made;
}

/// Pixels of the first run's colour in the lines.
int inked(CurveChart& chart) {
    QImage image(chart.size(), QImage::Format_RGB32);
    chart.render(&image);
    const QColor color = theme::series(0, chart.palette());
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                                 std::abs(pixel.blue() - color.blue()) <
                             60
                         ? 1
                         : 0;
        }
    }
    return count;
}

} // namespace

class CurveChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void theSpikeIsDrawnAtEveryZoom() {
        std::vector<double> x(100'000);
        std::vector<double> y(x.size(), 1.0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<double>(i);
        }
        y[70'000] = 50;
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        chart.setContent(
            content(QStringLiteral("loss"), {test::curve(std::make_shared<CurveData>(x, y))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        for (int zooms = 0; zooms < 8; ++zooms) {
            QTest::qWait(1);
            const int ink = inked(chart);
            QVERIFY2(ink > 100,
                     qPrintable(QString::number(ink))); // the spike covers the full height
            QVERIFY(chart.canvas()->scene().frame().y.high > 50);
            QVERIFY(chart.canvas()->lines()->points() <= kMaxCurvePoints);
            board.zoom(0.3, 70'000);
        }
        QVERIFY(board.isZoomed());
        board.back();
        QVERIFY(board.canGoForward());
        board.fit();
        QVERIFY(!board.isZoomed());
    }

    void logAxisWithAZeroAndANaNDrawsTheCurve() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        std::vector<double> x;
        std::vector<double> y;
        for (int i = 1; i <= 400; ++i) {
            x.push_back(i);
            y.push_back(i == 100 ? 0 : i == 200 ? kNaN : 5.0 / i);
        }
        chart.setContent(
            content(QStringLiteral("loss"), {test::curve(std::make_shared<CurveData>(x, y))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        const int linear = inked(chart);
        ChartBoard::Options options = board.options();
        options.yScale = Scale::Log;
        options.xScale = Scale::Log;
        board.setOptions(options);
        QTest::qWait(1);
        QVERIFY(inked(chart) > linear / 3);
        QCOMPARE(chart.canvas()->scene().curves()[0].raw.marks.size(), std::size_t{2});
        QCOMPARE(chart.canvas()->scene().curves()[0].raw.lines.size(), std::size_t{3});
        QVERIFY(test::saveScreenshots(chart, QStringLiteral("chart-log")));
    }

    void clickingATickSelectsItsCheckpoint() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        ChartContent shown = content(QStringLiteral("loss"), {test::curve(test::falling(400))});
        shown.ticks = {tick(100, "/run/step-100"), tick(200, "/run/step-200"),
                       tick(300, "/run/step-300", ChartTick::State::Broken)};
        shown.ticks[1].selected = true;
        chart.setContent(shown);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(10);
        std::filesystem::path chosen;
        connect(&chart, &CurveChart::checkpointChosen, this,
                [&](const std::filesystem::path& path) { chosen = path; });
        const PlotFrame& frame = chart.canvas()->scene().frame();
        const QPoint place(static_cast<int>(frame.toX(300)),
                           static_cast<int>(frame.area.bottom()) - 4);
        QTest::mouseClick(chart.canvas(), Qt::LeftButton, {}, place);
        QCOMPARE(chosen, std::filesystem::path("/run/step-300"));
        // The same with keys.
        chart.canvas()->setFocus();
        QTest::keyClick(chart.canvas(), Qt::Key_T);
        QTest::keyClick(chart.canvas(), Qt::Key_Return);
        QCOMPARE(chosen, std::filesystem::path("/run/step-100"));
        QVERIFY(test::saveScreenshots(chart, QStringLiteral("chart-ticks")));
    }

    void checkpointsOfTwoRunsAtOneStepAreBothSeen() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        ChartContent shown = content(QStringLiteral("loss"), {test::curve(test::falling(400))});
        shown.ticks = {tick(200, "/a/step-200"), tick(200, "/b/step-200"),
                       tick(300, "/b/step-300")};
        shown.ticks[1].series = 1;
        shown.ticks[2].series = 1;
        chart.setContent(shown);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(10);
        QImage image(chart.canvas()->size(), QImage::Format_RGB32);
        chart.canvas()->render(&image);
        const PlotFrame& frame = chart.canvas()->scene().frame();
        const auto inside = [&](double x) {
            return image.pixelColor(static_cast<int>(std::lround(frame.toX(x))),
                                    static_cast<int>(frame.area.bottom()) - 3);
        };
        QCOMPARE(inside(200), theme::series(0, chart.palette()));
        QCOMPARE(inside(300), theme::cardGround(chart.palette())); // hollow where it is alone
    }

    void crosshairsAreShared() {
        ChartBoard board;
        CurveChart left(board);
        CurveChart right(board);
        left.resize(500, 260);
        right.resize(300, 200);
        left.setContent(content(QStringLiteral("loss"),
                                {test::curve(test::falling(400), 0, QStringLiteral("A")),
                                 test::curve(test::falling(300, 4.0), 1, QStringLiteral("B"))}));
        right.setContent(content(QStringLiteral("lr"), {test::curve(test::falling(400, 1.0))}));
        left.show();
        right.show();
        QVERIFY(QTest::qWaitForWindowExposed(&right));
        QTest::qWait(10);
        const PlotFrame& frame = left.canvas()->scene().frame();
        QTest::mouseMove(left.canvas(), QPoint(static_cast<int>(frame.toX(120)), 80));
        QTest::mouseMove(left.canvas(), QPoint(static_cast<int>(frame.toX(150)), 80));
        QVERIFY(board.crosshair().has_value());
        QVERIFY(std::abs(*board.crosshair() - 150) < 2);
        QVERIFY(left.readout().contains(QStringLiteral("A ")));
        QVERIFY(left.readout().contains(QStringLiteral("B ")));
        QVERIFY(left.readout().contains(QLatin1Char('%')));
        QVERIFY(right.readout().contains(QString::number(*board.crosshair())));
        const QString at150 = right.readout();
        left.canvas()->setFocus();
        QTest::keyClick(left.canvas(), Qt::Key_Right);
        QVERIFY(right.readout() != at150);
        // B ends at 300: the readout omits it where it has no point.
        board.setCrosshair(350);
        QVERIFY(!left.readout().contains(QStringLiteral("B ")));
        QVERIFY(test::saveScreenshots(left, QStringLiteral("chart-two")));
    }

    void keysWheelAndBoxZoom() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        chart.setContent(content(QStringLiteral("loss"), {test::curve(test::falling(1000))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(10);
        PlotCanvas* canvas = chart.canvas();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Plus);
        const double once = board.shown().length();
        QVERIFY(once < 600);
        const double low = board.shown().low;
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(board.shown().low > low);
        QTest::keyClick(canvas, Qt::Key_Minus);
        QTest::keyClick(canvas, Qt::Key_0);
        QVERIFY(!board.isZoomed());
        QTest::qWait(10);
        const PlotFrame frame = canvas->scene().frame();
        const auto at = [&](double x, double share) {
            return QPoint(static_cast<int>(frame.toX(x)),
                          static_cast<int>(frame.area.top() + share * frame.area.height()));
        };
        QTest::mousePress(canvas, Qt::LeftButton, {}, at(200, 0.2));
        QTest::mouseMove(canvas, at(300, 0.5));
        QTest::mouseMove(canvas, at(400, 0.8));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, at(400, 0.8));
        QVERIFY(std::abs(board.shown().low - 200) < 5);
        QVERIFY(std::abs(board.shown().high - 400) < 5);
        QVERIFY(board.view().y.contains(QStringLiteral("loss")));
        QTest::qWait(10);
        QCOMPARE(canvas->scene().frame().y, board.view().y.value(QStringLiteral("loss")));
        QTest::keyClick(canvas, Qt::Key_Backspace);
        QVERIFY(board.view().y.isEmpty());
        QTest::keyClick(canvas, Qt::Key_Backspace, Qt::ShiftModifier);
        QVERIFY(!board.view().y.isEmpty());
        QWheelEvent wheel(canvas->rect().center(), canvas->mapToGlobal(canvas->rect().center()), {},
                          {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        const double before = board.shown().length();
        QApplication::sendEvent(canvas, &wheel);
        QVERIFY(board.shown().length() < before);
    }

    void aHorizontalDragZooms() {
        ChartBoard board;
        ChartControls controls(board);
        controls.resize(900, 50);
        controls.show();
        CurveChart chart(board);
        chart.resize(500, 260);
        chart.setContent(content(QStringLiteral("loss"), {test::curve(test::falling(1000))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(10);
        QVERIFY(!controls.zoomChip()->isVisible());
        PlotCanvas* canvas = chart.canvas();
        const PlotFrame frame = canvas->scene().frame();
        const auto at = [&](double x) { return QPoint(static_cast<int>(frame.toX(x)), 80); };
        QTest::mousePress(canvas, Qt::LeftButton, {}, at(200));
        QTest::mouseMove(canvas, at(300));
        QTest::mouseMove(canvas, at(400));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, at(400));
        QVERIFY(std::abs(board.shown().low - 200) < 5);
        QVERIFY(std::abs(board.shown().high - 400) < 5);
        QVERIFY(board.view().y.isEmpty());
        // The chip says where, and shows everything again.
        QVERIFY(controls.zoomChip()->isVisible());
        QVERIFY2(controls.zoomChip()->text().endsWith(QStringLiteral(" ×")),
                 qPrintable(controls.zoomChip()->text()));
        QTest::mouseClick(controls.zoomChip(), Qt::LeftButton);
        QVERIFY(!board.isZoomed());
        QVERIFY(!controls.zoomChip()->isVisible());
    }

    void inViewTheLastValuesAreReadOut() {
        ChartBoard board;
        ChartBoard::Options options = board.options();
        options.unit = AxisUnit::Whole;
        options.axisWord = QStringLiteral("step");
        board.setOptions(options);
        CurveChart chart(board);
        const auto each = std::make_shared<CurveData>(std::vector<double>{1, 2, 3, 4},
                                                      std::vector<double>{40, 30, 20, 10});
        const auto few =
            std::make_shared<CurveData>(std::vector<double>{1, 4}, std::vector<double>{7, 5});
        chart.setContent(
            content(QStringLiteral("loss"), {test::curve(each, 0, QStringLiteral("A")),
                                             test::curve(few, 1, QStringLiteral("B"))}));
        QCOMPARE(chart.readout().left(8), QStringLiteral("A 10  B "));
        board.setView({Range{0.5, 3.2}, {}});
        QVERIFY2(chart.readout().startsWith(QStringLiteral("3  A 20  B 7 @1")),
                 qPrintable(chart.readout()));
        board.fit();
        QCOMPARE(chart.readout().left(8), QStringLiteral("A 10  B "));
    }

    void sourcesAreBehindTheMark() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        chart.setContent(content(QStringLiteral("loss"), {test::curve(test::falling(400))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QVERIFY(chart.info()->isVisible());
        QTest::mouseClick(chart.info(), Qt::LeftButton);
        QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("metrics.jsonl · 400 points")));
        QToolTip::hideText();
        QTRY_VERIFY(!QToolTip::isVisible());
        // Over the curves there is no tooltip that would hide them.
        const QPoint middle = chart.canvas()->rect().center();
        QHelpEvent help(QEvent::ToolTip, middle, chart.canvas()->mapToGlobal(middle));
        QApplication::sendEvent(chart.canvas(), &help);
        QVERIFY(!QToolTip::isVisible());
        chart.canvas()->setFocus();
        QTest::keyClick(chart.canvas(), Qt::Key_I);
        QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("metrics.jsonl")));
        QToolTip::hideText();
    }

    void eachOfManyTicksCanBeClicked() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        ChartContent shown = content(QStringLiteral("loss"), {test::curve(test::falling(2000))});
        for (int i = 1; i <= 200; ++i) {
            shown.ticks.push_back(tick(i * 10, ("/run/step-" + std::to_string(i * 10)).c_str()));
        }
        chart.setContent(shown);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(10);
        PlotCanvas& canvas = *chart.canvas();
        QVERIFY(canvas.scene().hasDenseTicks(chart.chartContent()));
        std::set<std::filesystem::path> chosen;
        connect(&chart, &CurveChart::checkpointChosen, this,
                [&](const std::filesystem::path& path) { chosen.insert(path); });
        const PlotFrame& frame = canvas.scene().frame();
        for (const ChartTick& each : shown.ticks) {
            QTest::mouseClick(&canvas, Qt::LeftButton, {},
                              QPoint(static_cast<int>(std::lround(frame.toX(each.x))),
                                     static_cast<int>(frame.area.bottom()) - 3));
        }
        QCOMPARE(chosen.size(), std::size_t{200});
        // They are lines of their own, not one band; the one at the pointer is a mark.
        const auto inked = [&] { // of the row through the marks
            QImage image(canvas.size(), QImage::Format_RGB32);
            canvas.render(&image);
            int count = 0;
            const int row = static_cast<int>(frame.area.bottom()) - 3;
            for (int x = static_cast<int>(frame.area.left()); x < frame.area.right(); ++x) {
                count += image.pixelColor(x, row).lightness() < 200 ? 1 : 0;
            }
            return count;
        };
        const int lines = inked();
        QVERIFY2(lines > 150 && lines < frame.area.width() * 0.8,
                 qPrintable(QString::number(lines)));
        QTest::mouseMove(&canvas, QPoint(static_cast<int>(std::lround(frame.toX(1010))),
                                         static_cast<int>(frame.area.bottom()) - 3));
        QVERIFY(inked() > lines);
    }

    void oneOfManyCurvesStandsOut() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(800, 280);
        ChartContent made = content(QStringLiteral("loss"), {});
        CurveColours colours;
        auto scale = std::make_shared<CurveScale>();
        scale->title = QStringLiteral("lr");
        scale->marks = {{0, QStringLiteral("0.0001")}, {1, QStringLiteral("0.01")}};
        colours.scale = scale;
        for (int i = 0; i < 60; ++i) { // levels, each with 20 points
            std::vector<double> x(20);
            std::vector<double> y(20, i);
            for (std::size_t at = 0; at < x.size(); ++at) {
                x[at] = static_cast<double>(at);
            }
            made.curves.push_back(test::curve(std::make_shared<CurveData>(x, y), i));
            colours.shares.emplace(i, i / 59.0);
        }
        made.better = names::Direction::Smaller;
        chart.setColours(colours);
        chart.setContent(made);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTRY_VERIFY(board.turns().isEmpty());
        PlotCanvas& canvas = *chart.canvas();
        const PlotFrame& frame = canvas.scene().frame();
        const auto pixel = [&](double x, double y) {
            QImage image(canvas.size(), QImage::Format_RGB32);
            canvas.render(&image);
            const QPoint at = frame.toPoint({x, y}).toPoint();
            int most = 0; // of the pixels of the line
            QColor found;
            for (int row = at.y() - 1; row <= at.y() + 1; ++row) {
                const QColor here = image.pixelColor(at.x(), row);
                const int ink = 765 - here.red() - here.green() - here.blue();
                found = ink > most ? here : found;
                most = std::max(most, ink);
            }
            return found;
        };
        // Thin, in the colours of the scale, without markers.
        const QColor low = theme::shade(0, chart.palette());
        QVERIFY(pixel(10.5, 0).blue() > pixel(10.5, 0).green()); // violet
        QVERIFY(pixel(10.5, 59).green() > pixel(10.5, 59).blue());
        QVERIFY(!chart.canvas()->cursorLabel().has_value());
        const QColor before = pixel(10.5, 30);
        // Under the pointer: bold, named; the others step back.
        QTest::mouseMove(&canvas, frame.toPoint({4, 10}).toPoint());
        QTest::mouseMove(&canvas, frame.toPoint({5, 0}).toPoint());
        QCOMPARE(board.highlighted(), std::optional(0));
        QVERIFY(canvas.lines()->isDim());
        QVERIFY(canvas.cursorLabel()->text.startsWith(QStringLiteral("run-0 ")));
        QCOMPARE(pixel(10.5, 0), low);
        QVERIFY(pixel(10.5, 30).lightness() > before.lightness());
        QVERIFY(test::saveScreenshots(chart, QStringLiteral("chart-many")));
        QSignalSpy clicked(&chart, &CurveChart::curveClicked);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, frame.toPoint({5, 0}).toPoint());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked[0][0].toInt(), 0);
        // The list beside it says where, and is another way to point at a curve.
        QCOMPARE(chart.list()->rows().size(), std::size_t{8});
        QVERIFY(chart.list()->isVisible());
        QTest::mouseMove(chart.list(), chart.list()->placeOfRow(3));
        QTest::mouseMove(chart.list(), chart.list()->placeOfRow(4));
        QCOMPARE(board.highlighted(), std::optional(4));
        QTest::mouseClick(chart.list(), Qt::LeftButton, {}, chart.list()->placeOfRow(4));
        QCOMPARE(clicked.size(), 2);
        // By keys, too.
        board.highlight(std::nullopt);
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Down);
        QVERIFY(board.highlighted().has_value());
    }

    void ofManyCurvesTheBestAreReadOut() {
        ChartBoard board;
        CurveChart chart(board);
        ChartContent made = content(QStringLiteral("loss"), {});
        for (int i = 0; i < 60; ++i) {
            made.curves.push_back(test::curve(
                std::make_shared<CurveData>(std::vector<double>{1, 2},
                                            std::vector<double>{1, 100.0 + (i * 7) % 60}),
                i, QStringLiteral("r%1").arg(i)));
            made.curves.back().run = QStringLiteral("r%1").arg(i);
        }
        made.better = names::Direction::Smaller;
        chart.setContent(made);
        const QStringList parts = chart.readout().split(QStringLiteral("  "), Qt::SkipEmptyParts);
        QCOMPARE(parts.size(), 9);
        QVERIFY(parts.contains(QStringLiteral("r0 100")));
        QVERIFY(parts.contains(QStringLiteral("r43 101"))); // 43 * 7 = 301
        QVERIFY(!chart.readout().contains(QStringLiteral("108")));
        QCOMPARE(parts.front(), QStringLiteral("r0 100")); // by value
        QCOMPARE(parts.back(), QStringLiteral("52 more"));
        made.better = names::Direction::Larger;
        chart.setContent(made);
        QVERIFY(chart.readout().contains(QStringLiteral("159")));
        QVERIFY(!chart.readout().contains(QStringLiteral("151")));
    }

    void theTableHasEveryPoint() {
        CurveTable table;
        const QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        table.setContent(content(QStringLiteral("loss"), {test::curve(test::falling(1000))}),
                         AxisUnit::Whole, QStringLiteral("step"));
        QCOMPARE(table.rowCount(), 1000);
        QCOMPARE(table.columnCount(), 2);
        const auto a = std::make_shared<CurveData>(std::vector<double>{1, 2, 3, 2, 3, 4},
                                                   std::vector<double>{10, 20, 30, 21, 31, 41});
        const auto b = std::make_shared<CurveData>(std::vector<double>{2, 4, 5},
                                                   std::vector<double>{200, kNaN, 500});
        table.setContent(content(QStringLiteral("loss"), {test::curve(a), test::curve(b, 1)}),
                         AxisUnit::Whole, QStringLiteral("step"));
        QStringList rows;
        for (int row = 0; row < table.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < 3; ++column) {
                cells << table.index(row, column).data().toString();
            }
            rows << cells.join(QLatin1Char(','));
        }
        QCOMPARE(rows, (QStringList{QStringLiteral("1,10,"), QStringLiteral("2,20,200"),
                                    QStringLiteral("3,30,"), QStringLiteral("4,,NaN"),
                                    QStringLiteral("5,,500"), QStringLiteral("2,21,"),
                                    QStringLiteral("3,31,"), QStringLiteral("4,41,")}));
        QCOMPARE(table.rowAt(0), 0);
        QCOMPARE(table.rowAt(2.5), 2);
        QCOMPARE(table.rowAt(5), 4);
        QCOMPARE(table.rowAt(6), 7); // after every point: the last row
        table.setContent(content(QStringLiteral("loss"), {test::curve(a)}), AxisUnit::Whole, {});
        QCOMPARE(table.rowAt(3), 2);
        QCOMPARE(table.rowAt(3.5), 5); // only after the restart
        QCOMPARE(table.rowAt(9), 5);
        table.setContent({}, AxisUnit::Whole, {});
        QCOMPARE(table.rowCount(), 0);
    }

    void aRestartStartsASegmentWithAMark() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        std::vector<double> x;
        std::vector<double> y;
        for (int i = 1; i <= 300; ++i) {
            x.push_back(i <= 200 ? i : i - 100);
            y.push_back(i <= 200 ? 2.0 : 1.0);
        }
        const auto data = std::make_shared<CurveData>(x, y);
        chart.setContent(content(QStringLiteral("loss"), {test::curve(data)}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(1);
        QCOMPARE(chart.canvas()->scene().curves()[0].raw.lines.size(), std::size_t{2});
        board.setCrosshair(150); // both parts have a point here: the later one is shown
        QVERIFY2(chart.readout().contains(QStringLiteral(" 1")), qPrintable(chart.readout()));
        board.setCrosshair(50);
        QVERIFY2(chart.readout().contains(QStringLiteral(" 2")), qPrintable(chart.readout()));
        board.setCrosshair(std::nullopt);
        // The dotted line marks the start of the later part.
        QImage image(chart.size(), QImage::Format_RGB32);
        chart.render(&image);
        const PlotFrame& frame = chart.canvas()->scene().frame();
        const QPoint place =
            chart.canvas()->mapTo(&chart, QPoint(static_cast<int>(std::lround(frame.toX(101))), 0));
        const auto inkAt = [&](int column) {
            int ink = 0;
            const QColor ground = theme::cardGround(chart.palette());
            const int top = chart.canvas()->mapTo(&chart, QPoint(0, 0)).y();
            for (int row = top + static_cast<int>(frame.area.top()) + 4;
                 row < top + static_cast<int>(frame.area.bottom()) - 14; ++row) {
                ink += image.pixelColor(column, row) != ground ? 1 : 0;
            }
            return ink;
        };
        const int marked = std::max({inkAt(place.x() - 1), inkAt(place.x()), inkAt(place.x() + 1)});
        QVERIFY2(
            marked > inkAt(place.x() + 30) + 20,
            qPrintable(QStringLiteral("%1 against %2").arg(marked).arg(inkAt(place.x() + 30))));
    }

    void smoothingKeepsTheRawCurveFaint() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        std::vector<double> x;
        std::vector<double> y;
        for (int i = 0; i < 400; ++i) {
            x.push_back(i);
            y.push_back(i % 2 == 0 ? 1 : -1);
        }
        chart.setContent(
            content(QStringLiteral("loss"), {test::curve(std::make_shared<CurveData>(x, y))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QVERIFY(!chart.canvas()->scene().curves()[0].smoothed);
        ChartBoard::Options options = board.options();
        options.smoothing = 0.95;
        board.setOptions(options);
        QTest::qWait(1);
        const DrawnCurve& drawn = chart.canvas()->scene().curves()[0];
        QVERIFY(drawn.smoothed);
        QVERIFY(drawn.smoothed->values->length() < 2);
        QCOMPARE(drawn.raw.values->length(), 2.0); // it is still there
        const ChartContent& shown = chart.chartContent();
        QVERIFY(rawPen(shown, shown.curves[0], true, chart.palette()).color().alphaF() <
                smoothPen(shown, shown.curves[0], chart.palette()).color().alphaF());
        board.setCrosshair(100);
        QVERIFY(chart.readout().contains(QStringLiteral("smoothed")));
    }

    /// Values that are not finite, or not positive on a log scale, are marked at the edge,
    /// separately by kind.
    void onlyNaNStillHasAChart() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        chart.setContent(
            content(QStringLiteral("loss"),
                    {test::curve(std::make_shared<CurveData>(
                        std::vector<double>{1, 2, 3}, std::vector<double>{kNaN, kNaN, kNaN}))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(1);
        QCOMPARE(chart.canvas()->scene().curves()[0].raw.marks.size(), std::size_t{3});
        QVERIFY(chart.readout().contains(QStringLiteral("NaN")));
        QVERIFY(test::saveScreenshots(chart, QStringLiteral("chart-nan")));
    }

    void withoutACrosshairTheSelectedCheckpointIsRead() {
        ChartBoard board;
        ChartBoard::Options options = board.options();
        options.axisWord = QStringLiteral("step");
        options.unit = AxisUnit::Whole;
        board.setOptions(options);
        CurveChart chart(board);
        ChartCurve curve;
        curve.data = std::make_shared<CurveData>(std::vector<double>{100, 200, 300},
                                                 std::vector<double>{4, 2, 1});
        ChartContent made = content(QStringLiteral("loss"), {curve});
        chart.setContent(made);
        QCOMPARE(chart.readout(), QStringLiteral("1")); // the last value
        made.ticks = {tick(100, "a"), tick(200, "b")};
        made.ticks[1].selected = true;
        chart.setTicks(made.ticks);
        QCOMPARE(chart.readout(), QStringLiteral("step 200  2"));
        made.ticks[1].selected = false;
        made.ticks[0].selected = true;
        chart.setContent(made);
        QCOMPARE(chart.readout(), QStringLiteral("step 100  4"));
        board.setCrosshair(300);
        QVERIFY2(chart.readout().startsWith(QStringLiteral("step 300")),
                 qPrintable(chart.readout()));
        board.setCrosshair(std::nullopt);
        made.ticks[0].x = 190; // the next value is named by its own step
        chart.setTicks(made.ticks);
        QCOMPARE(chart.readout(), QStringLiteral("step 200  2"));
        made.ticks[0].x = 1000; // no value is recorded there
        chart.setTicks(made.ticks);
        QCOMPARE(chart.readout(), QStringLiteral("1"));
        // Of two runs, the last values are compared.
        ChartCurve other = curve;
        other.run = QStringLiteral("other");
        made = content(QStringLiteral("loss"), {curve, other});
        made.ticks = {tick(100, "a")};
        made.ticks[0].selected = true;
        chart.setContent(made);
        QCOMPARE(chart.readout(), QStringLiteral("1  1  ="));
    }

    void theCrosshairShowsEachCurvesOwnPoint() {
        ChartBoard board;
        ChartBoard::Options options = board.options();
        options.axisWord = QStringLiteral("step");
        options.unit = AxisUnit::Whole;
        board.setOptions(options);
        CurveChart chart(board);
        const auto few = std::make_shared<CurveData>(std::vector<double>{100, 200, 400},
                                                     std::vector<double>{2, 1.009, 0.5});
        chart.setContent(content(QStringLiteral("eval_loss"), {test::curve(few)}));
        board.setCrosshair(158);
        QCOMPARE(chart.readout(), QStringLiteral("1.009 @200"));
        board.setCrosshair(149);
        QCOMPARE(chart.readout(), QStringLiteral("2 @100"));
        board.setCrosshair(200);
        QCOMPARE(chart.readout(), QStringLiteral("step 200  1.009"));
        board.setCrosshair(50); // before its first point, and beyond its last one
        QCOMPARE(chart.readout(), QString());
        board.setCrosshair(401);
        QCOMPARE(chart.readout(), QString());
        const auto each = std::make_shared<CurveData>(std::vector<double>{100, 158, 200, 400, 500},
                                                      std::vector<double>{4, 3, 2, 1, 0.25});
        chart.setContent(
            content(QStringLiteral("loss"), {test::curve(each, 0, QStringLiteral("A")),
                                             test::curve(few, 1, QStringLiteral("B"))}));
        board.setCrosshair(158);
        QVERIFY2(chart.readout().startsWith(QStringLiteral("158  A 3  B 1.009 @200")),
                 qPrintable(chart.readout()));
        board.setCrosshair(500);
        QCOMPARE(chart.readout(), QStringLiteral("500  A 0.25"));
    }

    void markersSitOnMeasuredValues() {
        ChartBoard board;
        ChartBoard::Options options = board.options();
        options.smoothing = 0.9;
        board.setOptions(options);
        CurveChart chart(board);
        chart.resize(700, 300);
        std::vector<double> x;
        std::vector<double> y;
        for (int i = 0; i < 40; ++i) { // few enough for a dot each, enough for smoothing
            x.push_back(i);
            y.push_back(i == 20 ? 10 : 0);
        }
        chart.setContent(
            content(QStringLiteral("loss"), {test::curve(std::make_shared<CurveData>(x, y))}));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTest::qWait(20);
        PlotCanvas& canvas = *chart.canvas();
        QVERIFY(canvas.scene().curves()[0].smoothed);
        const auto dotAt = [&](double place, double value) { // solid, not the thin faint line
            QImage image(canvas.size(), QImage::Format_RGB32);
            canvas.render(&image);
            const QPoint at = canvas.scene().frame().toPoint({place, value}).toPoint();
            const QColor color = theme::series(0, chart.palette());
            const QColor pixel = image.pixelColor(at);
            return std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                       std::abs(pixel.blue() - color.blue()) <
                   40;
        };
        QVERIFY(dotAt(20, 10));
        QVERIFY(dotAt(30, 0));
        const double average = canvas.smoothed()[0]->y()[30];
        QVERIFY(average > 0.2);
        board.setCrosshair(30); // its mark, too
        QTest::qWait(20);
        QVERIFY(dotAt(30, 0));
    }

    void readoutMarksDifferentPositions() {
        ChartBoard board;
        CurveChart chart(board);
        chart.resize(500, 260);
        const auto each = std::make_shared<CurveData>(std::vector<double>{0, 1, 2, 3, 4, 5},
                                                      std::vector<double>{2, 2, 2, 2, 2, 2});
        const auto few =
            std::make_shared<CurveData>(std::vector<double>{0, 5}, std::vector<double>{1, 1});
        chart.setContent(
            content(QStringLiteral("loss"), {test::curve(each, 0, QStringLiteral("A")),
                                             test::curve(few, 1, QStringLiteral("B"))}));
        board.setCrosshair(5);
        QVERIFY2(chart.readout().endsWith(QStringLiteral("−50 %")), qPrintable(chart.readout()));
        QVERIFY(!chart.readout().contains(QStringLiteral("≈")));
        board.setCrosshair(3);
        QVERIFY2(chart.readout().contains(QStringLiteral("≈")), qPrintable(chart.readout()));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::CurveChartTest)
#include "curve_chart_test.moc"
