// SPDX-License-Identifier: GPL-3.0-or-later
// One step of zooming a chart of 1e6 raw points a curve, drawing included, without a display:
//     bench_charts [steps]
// Prints the median and the 95th percentile, the processor's time (which others on the machine do
// not show in), and how long the first picture takes. Goals: 16 ms for one curve, 50 ms for ten.
// Then steps of a brush in the plots of 1,500 runs.
#include "tests/ui/support/made_history.h"
#include "tests/ui/support/made_relation.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/parallel_plot.h"
#include "ui/charts/scatter_plot.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

namespace {

using namespace cairn::ui;

constexpr std::size_t kPoints = 1'000'000;

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

void measure(int curves, int steps, bool smoothed) {
    ChartBoard board;
    ChartBoard::Options options = board.options();
    options.smoothing = smoothed ? 0.6 : 0;
    board.setOptions(options);
    CurveChart chart(board);
    chart.resize(900, 400);
    ChartContent content;
    content.name = QStringLiteral("loss");
    for (int i = 0; i < curves; ++i) {
        content.curves.push_back(test::curve(test::falling(kPoints, 3.0 + i), i));
    }
    QElapsedTimer clock;
    clock.start();
    chart.setContent(content);
    chart.show();
    QImage image(chart.size(), QImage::Format_RGB32);
    QCoreApplication::processEvents();
    chart.render(&image);
    const double first = milliseconds(clock);
    std::vector<double> took;
    const std::clock_t before = std::clock();
    for (int i = 0; i < steps; ++i) {
        clock.restart();
        board.zoom(i % 20 < 10 ? 0.8 : 1.25, 300'000.0);
        chart.render(&image);
        took.push_back(milliseconds(clock));
    }
    const double busy =
        static_cast<double>(std::clock() - before) * 1000.0 / CLOCKS_PER_SEC / steps;
    std::sort(took.begin(), took.end());
    const auto at = [&](double share) {
        return took[static_cast<std::size_t>(share * static_cast<double>(took.size() - 1))];
    };
    std::printf("%2d curves%-10s first picture %8.1f ms   zoom step: median %6.1f ms, 95 %% %6.1f "
                "ms, processor %6.1f ms (goal %d)\n",
                curves, smoothed ? " smoothed" : "", first, at(0.5), at(0.95), busy,
                curves == 1 ? 16 : 50);
}

/// A brush that grows until a third of all things is chosen: the time of each repaint, and that of
/// the first one, which paints everything.
void measureBrush(RelationPlot& plot, const char* name, int runs, int steps) {
    QImage image(plot.size(), QImage::Format_RGB32);
    std::vector<double> took;
    double whole = 0;
    std::clock_t before = 0;
    for (int step = 1; step <= steps; ++step) {
        std::vector<bool> chosen(static_cast<std::size_t>(runs), false);
        for (int i = 0; i < runs; ++i) {
            chosen[static_cast<std::size_t>(i)] = i * 7919 % 1009 <= 336 * step / steps;
        }
        QElapsedTimer clock;
        clock.start();
        plot.setChosen(std::move(chosen));
        plot.render(&image);
        if (step > 1) {
            took.push_back(milliseconds(clock));
        } else {
            whole = milliseconds(clock);
            before = std::clock();
        }
    }
    const double busy =
        static_cast<double>(std::clock() - before) * 1000.0 / CLOCKS_PER_SEC / (steps - 1);
    std::sort(took.begin(), took.end());
    std::printf("%-9s %d runs: whole %5.1f ms   brush step: median %5.1f ms, longest %5.1f ms, "
                "processor %4.1f ms (goal 16)\n",
                name, runs, whole, took[took.size() / 2], took.back(), busy);
}

void measureBrushes(int runs, int steps) {
    ParallelPlot parallel;
    ScatterPlot scatter;
    parallel.resize(620, 240);
    scatter.resize(420, 240);
    parallel.show(test::madeRelation(runs));
    scatter.show(test::madeRelation(runs));
    measureBrush(parallel, "parallel", runs, steps);
    measureBrush(scatter, "scatter", runs, steps);
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    const int steps = argc > 1 ? std::max(1, std::atoi(argv[1])) : 40;
    for (const int curves : {1, 10}) {
        measure(curves, steps, false);
        measure(curves, steps, true);
    }
    measureBrushes(1500, std::max(2, steps));
    return 0;
}
