// SPDX-License-Identifier: GPL-3.0-or-later
// The History page on real logs: the sample's, and some that are written here.
#include "tests/ui/support/made_runs.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/plot_canvas.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/notice_pane.h"
#include "ui/widgets/button.h"
#include "ui/widgets/message_strip.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>
#include <set>

namespace cairn::ui {
namespace {

constexpr int kTimeoutMs = 30'000; ///< ms; the machine may be busy

/// The page with its inputs.
struct Shown {
    test::RunFolder folder;
    HistoryFollower follower;
    HistoryPage page{follower};

    bool show(const RunPlace& place, const std::filesystem::path& selected = {}) {
        page.resize(1100, 760);
        page.show();
        page.showRun(place, selected);
        follower.follow(place);
        return QTest::qWaitFor(
            [&] {
                return follower.state() == HistoryFollower::State::Ready ||
                       follower.state() == HistoryFollower::State::Failed;
            },
            kTimeoutMs);
    }
    CurveChart* chart(const char* name) { return page.grid()->chart(QLatin1String(name)); }
    ChartContent content(const char* name) { return page.grid()->contentOf(QLatin1String(name)); }
};

Button* buttonOf(const QWidget& parent, const QStringList& texts) {
    for (Button* button : parent.findChildren<Button*>()) {
        if (texts.contains(button->text())) {
            return button;
        }
    }
    return nullptr;
}

} // namespace

class HistoryPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void lossComesFirstWithATickForEachCheckpoint() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        const std::filesystem::path selected = sample / "tiny-llama-a/step-200";
        QVERIFY(shown.show(test::RunFolder::place(sample, "tiny-llama-a"), selected));
        QVERIFY(shown.page.showsCharts());
        QCOMPARE(shown.page.grid()->shownNames().front(), QStringLiteral("loss"));
        const ChartContent loss = shown.content("loss");
        QCOMPARE(loss.ticks.size(), std::size_t{4});
        QCOMPARE(loss.curves.size(), std::size_t{2}); // with that of the evaluation
        QCOMPARE(loss.curves[1].data->size(), shown.content("eval_loss").curves[0].data->size());
        QCOMPARE(loss.curves[0].source, QStringLiteral("metrics.jsonl"));
        QCOMPARE(std::count_if(loss.ticks.begin(), loss.ticks.end(),
                               [](const ChartTick& tick) { return tick.selected; }),
                 std::ptrdiff_t{1});
        const auto& marked = *std::find_if(loss.ticks.begin(), loss.ticks.end(),
                                           [](const ChartTick& tick) { return tick.selected; });
        QCOMPARE(marked.x, 200.0);
        // The step with invalid values is marked.
        QTest::qWait(20);
        QVERIFY(!shown.chart("loss")->canvas()->scene().curves()[0].raw.marks.empty());
        // A click on a tick selects the file.
        QSignalSpy chosen(&shown.page, &HistoryPage::checkpointChosen);
        const PlotCanvas& canvas = *shown.chart("loss")->canvas();
        const PlotFrame& frame = canvas.scene().frame();
        QTest::mouseClick(shown.chart("loss")->canvas(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(std::lround(frame.toX(400))),
                                 static_cast<int>(frame.area.bottom()) - 4));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<std::filesystem::path>(), sample / "tiny-llama-a/step-400");
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("history")));
    }

    void everyAxisPlacesCurveAndTicks() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.show(test::RunFolder::place(sample, "tiny-llama-a")));
        const auto end = [&](const AxisChoice& axis) {
            shown.page.controls()->chooseAxis(axis);
            const ChartContent content = shown.content("loss");
            return content.curves.empty() || content.ticks.size() != 4
                       ? std::pair(-1.0, -1.0)
                       : std::pair(content.curves[0].data->x().back(), content.ticks[3].x);
        };
        using Kind = AxisChoice::Kind;
        QCOMPARE(end({Kind::Step, {}, false}), std::pair(400.0, 400.0));
        QCOMPARE(end({Kind::Step, {}, true}), std::pair(398.0, 398.0)); // the first one is 2
        QCOMPARE(end({Kind::Epoch, {}, false}), std::pair(3.125, 3.125));
        const auto tokens = end({Kind::Metric, "tokens", false});
        QCOMPARE(tokens, std::pair(400.0 * 32 * 32, 400.0 * 32 * 32));
        QVERIFY(shown.page.board().options().axisWord == QStringLiteral("tokens"));
        // "eval_loss" records no tokens: its positions come from the run's known pairs.
        const ChartContent eval = shown.content("eval_loss");
        QVERIFY(!eval.curves.empty() && eval.curves[0].interpolated);
    }

    void timesOfDayAndElapsedTime() {
        Shown shown;
        std::string text;
        for (int step = 1; step <= 50; ++step) {
            text += "{\"step\": " + std::to_string(step) +
                    ", \"loss\": " + std::to_string(1.0 / step) +
                    ", \"timestamp\": " + std::to_string(1'700'000'000 + 60 * step) + "}\n";
        }
        shown.folder.write("run/metrics.jsonl", text);
        QVERIFY(shown.show(test::RunFolder::place(shown.folder.path(), "run")));
        shown.page.controls()->chooseAxis({AxisChoice::Kind::Wall, {}, false});
        QCOMPARE(shown.content("loss").curves.at(0).data->x().front(), 1'700'000'060.0);
        QCOMPARE(shown.page.board().options().unit, AxisUnit::Moment);
        shown.page.controls()->chooseAxis({AxisChoice::Kind::Elapsed, {}, false});
        QCOMPARE(shown.content("loss").curves.at(0).data->x().back(), 49.0 * 60);
        QCOMPARE(shown.page.board().options().unit, AxisUnit::Duration);
    }

    void smallMultiplesFollowTheWidth() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.show(test::RunFolder::place(sample, "tiny-llama-a")));
        const auto columns = [&](int width) {
            shown.page.resize(width, 700);
            QTest::qWait(20);
            std::set<int> lefts;
            for (const QString& name : shown.page.grid()->shownNames()) {
                if (const CurveChart* chart = shown.page.grid()->chart(name)) {
                    lefts.insert(chart->x());
                    if (chart->geometry().right() > shown.page.width()) {
                        return -1;
                    }
                }
            }
            return static_cast<int>(lefts.size());
        };
        QCOMPARE(columns(420), 1);
        QCOMPARE(columns(800), 2);
        QCOMPARE(columns(1200), 3);
        QVERIFY(shown.page.minimumSizeHint().width() <= 520);
    }

    void showsATableNextToEachChart() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.show(test::RunFolder::place(sample, "tiny-llama-a")));
        QVERIFY(!shown.chart("loss")->isTableShown());
        Q_EMIT shown.page.controls()->tablesToggled(true);
        QVERIFY(shown.chart("loss")->isTableShown());
        const QAbstractItemModel* rows = shown.chart("loss")->table()->model();
        QCOMPARE(static_cast<std::size_t>(rows->rowCount()),
                 shown.content("loss").curves[0].data->size());
        QCOMPARE(rows->index(0, 0).data().toString(), QStringLiteral("2"));
        QCOMPARE(rows->index(0, 1).data(Qt::ToolTipRole).toString().toDouble(), 4.16472);
    }

    void filterSelectsMetrics() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.show(test::RunFolder::place(sample, "tiny-llama-a")));
        shown.page.setFilter(QStringLiteral("LOSS"));
        QCOMPARE(shown.page.grid()->shownNames().size(), std::size_t{3});
        shown.page.setFilter(QStringLiteral("nothing like it"));
        QVERIFY(!shown.page.showsCharts());
        QSignalSpy unwanted(&shown.page, &HistoryPage::clearFilterRequested);
        Q_EMIT shown.page.notice()->actionChosen();
        QCOMPARE(unwanted.size(), 1);
        shown.page.setFilter({});
        QVERIFY(shown.page.showsCharts());
    }

    void followsAGrowingLogAndPauses() {
        Shown shown;
        shown.folder.writeCsv("run/metrics.csv", 10, 1, test::falls);
        QVERIFY(shown.show(test::RunFolder::place(shown.folder.path(), "run")));
        const auto points = [&] { return shown.content("loss").curves.at(0).data->size(); };
        QCOMPARE(points(), std::size_t{10});
        shown.folder.write("run/metrics.csv", "11,0.5\n12,0.4\n", std::ios::app);
        QTRY_COMPARE_WITH_TIMEOUT(points(), std::size_t{12}, kTimeoutMs);
        Button* follow = buttonOf(shown.page, {QStringLiteral("Following")});
        QVERIFY(follow != nullptr);
        follow->click();
        QCOMPARE(follow->text(), QStringLiteral("Paused"));
        shown.folder.write("run/metrics.csv", "13,0.3\n", std::ios::app);
        QTest::qWait(3000); // longer than two polling intervals
        QCOMPARE(points(), std::size_t{12});
        follow->click();
        QTRY_COMPARE_WITH_TIMEOUT(points(), std::size_t{13}, kTimeoutMs);
    }

    void damageIsReportedAndTheRestIsDrawn() {
        Shown shown;
        std::string text;
        for (int step = 1; step <= 20; ++step) {
            text += "{\"step\": " + std::to_string(step) + ", \"loss\": 1.5}\n";
        }
        shown.folder.write("run/metrics.jsonl", text + "{\"step\": 21, \"lo");
        QVERIFY(shown.show(test::RunFolder::place(shown.folder.path(), "run")));
        QVERIFY(shown.page.showsCharts());
        QCOMPARE(shown.content("loss").curves.at(0).data->size(), std::size_t{20});
        QVERIFY(!shown.content("loss").curves.at(0).warnings.isEmpty());
    }

    void aRunWithoutHistoryListsTheSupportedLogs() {
        Shown shown;
        shown.folder.write("run/notes.txt", "nothing here");
        QVERIFY(shown.show(test::RunFolder::place(shown.folder.path(), "run")));
        QVERIFY(!shown.page.showsCharts());
        QVERIFY(shown.page.notice()->headline().contains(QStringLiteral("No history")));
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("history-none")));
    }

    void aThousandMetricsAndAMillionPoints() {
        Shown shown;
        shown.folder.writeCsv("wide/metrics.csv", 20, 1000, test::falls);
        QVERIFY(shown.show(test::RunFolder::place(shown.folder.path(), "wide")));
        QCOMPARE(shown.page.grid()->total(), std::size_t{1000});
        QVERIFY(shown.page.grid()->alive() < 24);
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("history-1000-metrics")));

        shown.folder.writeCsv("long/metrics.csv", 1'000'000, 1, [](int row, int) {
            return row == 777'777 ? std::string("50") : std::to_string(2.0 + row % 7 * 0.01);
        });
        QElapsedTimer clock;
        clock.start();
        QVERIFY(shown.show(test::RunFolder::place(shown.folder.path(), "long")));
        qInfo("  1e6 points after %lld ms", static_cast<long long>(clock.elapsed()));
        QTest::qWait(50);
        QCOMPARE(shown.content("loss").curves.at(0).data->size(), std::size_t{1'000'000});
        QVERIFY(shown.chart("loss")->canvas()->scene().frame().y.high > 50); // the spike is drawn
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("history-1e6-points")));
    }

    void exportsMatchTheCharts() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.show(test::RunFolder::place(sample, "tiny-llama-a")));
        const ChartExport all({shown.content("loss"), shown.content("eval_loss")},
                              shown.page.board());
        const QFont font = shown.page.font();
        const QPalette palette = shown.page.palette();
        QImage png;
        QVERIFY(png.loadFromData(all.picture(ExportFormat::Png, font, palette), "PNG"));
        QVERIFY(png.width() > 900);
        const QByteArray svg = all.picture(ExportFormat::Svg, font, palette);
        QVERIFY(svg.contains("<svg") && svg.contains("eval_loss") && svg.contains("<path"));
        const QByteArray pdf = all.picture(ExportFormat::Pdf, font, palette);
        QVERIFY(pdf.startsWith("%PDF") && pdf.trimmed().endsWith("%%EOF"));

        const QList<QByteArray> lines = all.data(ExportFormat::Csv).trimmed().split('\n');
        QCOMPARE(lines.size(), 1 + 200 + 8 + 8); // the evaluation's lines are on both charts
        QCOMPARE(std::count_if(lines.begin(), lines.end(),
                               [](const QByteArray& line) { return line.startsWith("eval_loss"); }),
                 std::ptrdiff_t{16});
        QVERIFY(lines[1].contains("4.16472"));
        QVERIFY(std::any_of(lines.begin(), lines.end(),
                            [](const QByteArray& line) { return line.contains("NaN"); }));
        QJsonParseError problem;
        const QJsonDocument json = QJsonDocument::fromJson(all.data(ExportFormat::Json), &problem);
        QCOMPARE(problem.error, QJsonParseError::NoError);
        QVERIFY(!json.isNull());

        const QString file = QString::fromStdString((shown.folder.path() / "out.csv").string());
        const auto saved = saveExport(file, all.data(ExportFormat::Csv), {});
        QVERIFY(saved);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll(), all.data(ExportFormat::Csv));
        QVERIFY(!saveExport(QStringLiteral("/nowhere/at/all.csv"), "x", {}));
    }

    /// With a zoomed view, pictures and tables contain only the visible part.
    void exportsOfAPart() {
        Shown shown;
        const std::filesystem::path sample = shown.folder.sample();
        QVERIFY(shown.show(test::RunFolder::place(sample, "tiny-llama-a")));
        ChartBoard::View view;
        view.x = Range{99.5, 200.5};
        shown.page.board().setView(view);
        const ChartExport part({shown.content("loss")}, shown.page.board());
        QCOMPARE(part.data(ExportFormat::Csv).trimmed().split('\n').size(), 1 + 51 + 3);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::HistoryPageTest)
#include "history_page_test.moc"
