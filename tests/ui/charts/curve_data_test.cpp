// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/growth.h"
#include "tests/ui/support/made_history.h"
#include "ui/charts/axis_ticks.h"
#include "ui/charts/curve_data.h"
#include "ui/charts/run_axis.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>

namespace cairn::ui {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

bool holds(const SampledCurve& sampled, PlotPoint wanted) {
    return std::any_of(sampled.lines.begin(), sampled.lines.end(), [&](const auto& line) {
        return std::find(line.begin(), line.end(), wanted) != line.end();
    });
}

std::vector<double> counted(std::size_t count) {
    std::vector<double> x(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = static_cast<double>(i);
    }
    return x;
}

} // namespace

class CurveDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneSpikeOfAMillionStaysAtEveryZoom() {
        constexpr std::size_t kPoints = 1'000'000;
        constexpr std::size_t kSpike = 654'321;
        std::mt19937 random(7);
        std::uniform_real_distribution<double> noise(-0.1, 0.1);
        std::vector<double> y(kPoints);
        for (double& value : y) {
            value = 2 + noise(random);
        }
        y[kSpike] = 900;
        y[kSpike + 1] = -900;
        const CurveData curve(counted(kPoints), y);
        double half = kPoints;
        while (half > 3) {
            const Range range{std::max(0.0, kSpike - half * 0.7),
                              std::min<double>(kPoints, kSpike + half * 0.3)};
            const SampledCurve sampled = curve.sample(range, Scale::Linear, Scale::Linear);
            QVERIFY(sampled.points <= kMaxCurvePoints);
            QVERIFY(holds(sampled, {static_cast<double>(kSpike), 900}));
            QVERIFY(holds(sampled, {static_cast<double>(kSpike + 1), -900}));
            QCOMPARE(sampled.values->high, 900.0);
            QCOMPARE(sampled.values->low, -900.0);
            half /= 1.7;
        }
    }

    /// Compares with the definition: the first, lowest, highest and last point of every column.
    void everyColumnKeepsItsExtremes() {
        std::mt19937 random(11);
        std::uniform_real_distribution<double> value(-5, 5);
        for (const std::size_t count : {3U, 127U, 128U, 129U, 1000U, 5000U}) {
            std::vector<double> x;
            std::vector<double> y;
            double at = 0;
            for (std::size_t i = 0; i < count; ++i) {
                at += random() % 5 == 0 ? 0 : static_cast<double>(random() % 1000) / 100;
                x.push_back(at);
                y.push_back(random() % 29 == 0 ? kNaN : value(random));
            }
            const CurveData curve(x, y);
            const Range range{x.front() + (x.back() - x.front()) * 0.2,
                              x.front() + (x.back() - x.front()) * 0.9 + 1e-9};
            const SampledCurve sampled = curve.sample(range, Scale::Linear, Scale::Linear, 200);
            QVERIFY(sampled.points <= 200);
            const std::size_t columns = 1 + (200 - 6) / 4;
            const double width = range.length() / static_cast<double>(columns);
            std::vector<std::vector<PlotPoint>> cut(columns);
            for (std::size_t i = 0; i < count; ++i) {
                if (x[i] >= range.low && x[i] <= range.high && std::isfinite(y[i])) {
                    std::size_t column = 0;
                    while (column + 1 < columns &&
                           x[i] >= range.low + width * static_cast<double>(column + 1)) {
                        ++column;
                    }
                    cut[column].push_back({x[i], y[i]});
                }
            }
            for (const auto& column : cut) {
                if (column.empty()) {
                    continue;
                }
                const auto byY = [](PlotPoint a, PlotPoint b) { return a.y < b.y; };
                QVERIFY(holds(sampled, column.front()));
                QVERIFY(holds(sampled, column.back()));
                QVERIFY(holds(sampled, *std::min_element(column.begin(), column.end(), byY)));
                QVERIFY(holds(sampled, *std::max_element(column.begin(), column.end(), byY)));
            }
        }
    }

    void orderStaysAndOnePointBeyondEitherEnd() {
        const CurveData curve(counted(1000), counted(1000));
        const SampledCurve sampled = curve.sample({100.5, 900.5}, Scale::Linear, Scale::Linear, 80);
        QCOMPARE(sampled.lines.size(), std::size_t{1});
        const auto& line = sampled.lines.front();
        QVERIFY(std::is_sorted(line.begin(), line.end(),
                               [](PlotPoint a, PlotPoint b) { return a.x < b.x; }));
        QCOMPARE(line.front().x, 100.0);
        QCOMPARE(line.back().x, 901.0);
        QCOMPARE(sampled.raw, std::size_t{800});
        // Between two points a line is drawn as well.
        const SampledCurve close = curve.sample({500.2, 500.4}, Scale::Linear, Scale::Linear);
        QCOMPARE(close.lines.front(), (std::vector<PlotPoint>{{500, 500}, {501, 501}}));
    }

    void gapsEndLinesAndBecomeMarks() {
        const CurveData curve({0, 1, 2, 3, 4, 5}, {1, kNaN, 3, kInf, -kInf, 6});
        const SampledCurve sampled = curve.sample({0, 5}, Scale::Linear, Scale::Linear);
        QCOMPARE(sampled.lines.size(), std::size_t{3});
        QCOMPARE(sampled.marks, (std::vector<EdgeMark>{{1, OffScale::NotANumber},
                                                       {3, OffScale::Infinite},
                                                       {4, OffScale::MinusInfinite}}));
    }

    void logAxisWithZerosKeepsTheCurve() {
        const CurveData curve({1, 2, 3, 4, 5}, {10, 0, 1000, -3, 100});
        const SampledCurve sampled = curve.sample({1, 5}, Scale::Log, Scale::Log);
        QCOMPARE(sampled.lines.size(), std::size_t{3});
        QCOMPARE(sampled.values->low, 10.0);
        QCOMPARE(sampled.values->high, 1000.0);
        QCOMPARE(sampled.marks,
                 (std::vector<EdgeMark>{{2, OffScale::NotPositive}, {4, OffScale::NotPositive}}));
        // The linear view of the same curve has all five.
        QCOMPARE(curve.sample({1, 5}, Scale::Linear, Scale::Linear).points, std::size_t{5});
    }

    void everyOtherPointNaNStaysBounded() {
        std::vector<double> y(200'000, 1.0);
        for (std::size_t i = 0; i < y.size(); i += 2) {
            y[i] = kNaN;
        }
        const CurveData curve(counted(y.size()), y);
        const SampledCurve sampled = curve.sample({0, 200'000}, Scale::Linear, Scale::Linear);
        QVERIFY(sampled.points <= kMaxCurvePoints);
        QVERIFY(sampled.lines.size() <= kMaxLines);
        QVERIFY(sampled.marks.size() <= kMaxCurvePoints);
        QVERIFY(!sampled.marks.empty());
    }

    void restartsMakeSegments() {
        const CurveData curve({1, 2, 3, 2, 3, 4}, {9, 8, 7, 6, 5, 4});
        QCOMPARE(curve.segments().size(), std::size_t{2});
        const SampledCurve sampled = curve.sample({1, 4}, Scale::Linear, Scale::Linear);
        QCOMPARE(sampled.lines.size(), std::size_t{2});
        QCOMPARE(curve.y()[*curve.nearest(2.1)], 6.0); // written last
        QCOMPARE(curve.y()[*curve.nearest(1.0)], 9.0);
        QVERIFY(!curve.nearest(5));
    }

    void unorderedPointsAreSorted() {
        std::vector<double> x;
        for (int i = 0; i < 2000; ++i) {
            x.push_back(i % 2 == 0 ? i : i - 500);
        }
        const CurveData curve(x, x);
        QVERIFY(curve.wasSorted());
        QCOMPARE(curve.segments().size(), std::size_t{1});
        QVERIFY(std::is_sorted(curve.x().begin(), curve.x().end()));
        QCOMPARE(curve.size(), std::size_t{2000});
    }

    void hostileCurves() {
        QVERIFY(CurveData({}, {}).sample({0, 1}, Scale::Linear, Scale::Linear).lines.empty());
        QVERIFY(!CurveData({kNaN, kInf}, {1, 2}).extent(Scale::Linear));
        const CurveData huge({-1e308, 1e308}, {-1e308, 1e308});
        (void)huge.sample({-1e308, 1e308}, Scale::Linear, Scale::Linear);
        QVERIFY(huge.sample({5, 5}, Scale::Linear, Scale::Linear).lines.empty());
        QVERIFY(huge.sample({kNaN, 5}, Scale::Linear, Scale::Linear).lines.empty());
    }

    void smoothingIsTensorBoards() {
        const CurveData curve({0, 1, 2, 3}, {1, 2, kNaN, 4});
        const std::vector<double> smooth = curve.smoothed(0.5);
        // Debiased: (0.5 * 1) / 0.5, then (0.25 + 1) / 0.75, then (0.625 + 2) / 0.875.
        QCOMPARE(smooth[0], 1.0);
        QCOMPARE(smooth[1], 1.25 / 0.75);
        QVERIFY(std::isnan(smooth[2]));
        QCOMPARE(smooth[3], 2.625 / 0.875);
    }

    void ticksAreRoundAndFew() {
        const auto labels = [](Range range, Scale scale, AxisUnit unit, int wanted) {
            QStringList texts;
            for (const AxisTick& tick : axisTicks(range, scale, unit, wanted)) {
                texts << tick.label;
            }
            return texts.join(QLatin1Char(' '));
        };
        QCOMPARE(labels({0, 12000}, Scale::Linear, AxisUnit::Whole, 4), QStringLiteral("0 5k 10k"));
        QCOMPARE(labels({0.9, 3.1}, Scale::Linear, AxisUnit::Plain, 4), QStringLiteral("1 2 3"));
        QCOMPARE(labels({1.5, 2.6}, Scale::Linear, AxisUnit::Whole, 9), QStringLiteral("2"));
        QCOMPARE(labels({1e-4, 10}, Scale::Log, AxisUnit::Plain, 6),
                 QStringLiteral("0.0001 0.001 0.01 0.1 1 10"));
        QCOMPARE(labels({0, 7200}, Scale::Linear, AxisUnit::Duration, 4),
                 QStringLiteral("0 30 min 1:00 h 1:30 h 2:00 h"));
        QCOMPARE(labels({0, 1e-4}, Scale::Linear, AxisUnit::Plain, 3),
                 QStringLiteral("0 5e-5 1e-4"));
        QCOMPARE(labels({0, 2.1e-4}, Scale::Linear, AxisUnit::Plain, 5),
                 QStringLiteral("0 5e-5 1e-4 1.5e-4 2e-4"));
        QCOMPARE(labels({0, 1e-3}, Scale::Linear, AxisUnit::Plain, 5),
                 QStringLiteral("0.0000 0.0002 0.0004 0.0006 0.0008 0.0010"));
        QCOMPARE(labels({-1e-9, 1e-9}, Scale::Linear, AxisUnit::Plain, 2),
                 QStringLiteral("-1e-9 0 1e-9"));
        QVERIFY(axisTicks({kNaN, 1}, Scale::Linear, AxisUnit::Plain, 5).empty());
        QVERIFY(axisTicks({1, 1}, Scale::Linear, AxisUnit::Plain, 5).empty());
        QVERIFY(axisTicks({-1e308, 1e308}, Scale::Linear, AxisUnit::Plain, 5).size() <= 11);
    }

    void stepMapInterpolatesButDoesNotExtrapolate() {
        const StepMap map({0, 10, 20}, {0, 1, 3});
        QCOMPARE(*map.at(10), 1.0);
        QCOMPARE(*map.at(15), 2.0);
        QCOMPARE(*map.at(25), 3.0); // within one interval beyond the end
        QVERIFY(!map.at(100));
        QCOMPARE(*map.stepAt(1.5), 10.0);
    }

    /// The limit is 16 ms for one curve of 1e6 points, including drawing, of which picking is a
    /// small part. The time must not grow with the number of points: scanning all of them would
    /// take ten times as long.
    void pickingOfAMillionPoints() {
        const double times = cairn::test::growth(100'000, [](std::size_t count) {
            const CurveDataPtr curve = test::falling(count);
            (void)curve->sample({1, 10}, Scale::Linear, Scale::Linear); // builds the index
            const double last = static_cast<double>(count);
            return cairn::test::processorSeconds([&] {
                for (int i = 0; i < 100; ++i) {
                    const auto drawn = curve->sample({1.0 + i * 100, last - i * 100}, Scale::Linear,
                                                     Scale::Linear);
                    QVERIFY(drawn.points > 100 && drawn.points <= kMaxCurvePoints);
                }
            });
        });
        qInfo("  ten times as many points take %.1f times as long", times);
        QVERIFY(times < 5);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::CurveDataTest)
#include "curve_data_test.moc"
