// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page with real mouse and key events: a sweep as a table, filtered, grouped, sorted,
// marked, copied; its curves and explanation.
#include "tests/ui/support/runs_page_fixture.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/curve_list.h"
#include "ui/charts/parallel_plot.h"
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/runs/choice_list.h"
#include "ui/pages/runs/filter_field.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/run_row_delegate.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QCompleter>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QHeaderView>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace cairn::ui {
namespace {

using test::kTimeoutMs;
using Shown = test::ShownRunsPage;

const QString kBest = QStringLiteral("best eval_loss");

} // namespace

class RunsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
        QVERIFY(m_settings.isValid());
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("cairn-test"));
    }
    void init() { QSettings().clear(); }

    void theSweepAsATable() {
        Shown shown;
        QVERIFY(shown.sweep());
        const QAbstractItemModelTester tester(
            shown.page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(shown.page->model()->rowCount(), 15);
        QCOMPARE(shown.page->countsLine(), QStringLiteral("15 runs"));
        // Settings that differ come first, those that are the same do not come.
        const QStringList titles = shown.titles();
        QCOMPARE(titles.front(), QStringLiteral("run"));
        QVERIFY2(titles.indexOf(QStringLiteral("lr")) < titles.indexOf(kBest) &&
                     titles.contains(QStringLiteral("seed")),
                 qPrintable(titles.join(QLatin1Char('|'))));
        QVERIFY(!titles.contains(QStringLiteral("optimizer")));
        QVERIFY(titles.contains(QStringLiteral("last eval_loss")));
        QCOMPARE(titles.at(1), QStringLiteral("curve"));
        QVERIFY(!shown.page->model()->row(shown.page->model()->index(0, 0)).outline.empty());
        // The best value of all is marked.
        int good = 0;
        for (int row = 0; row < 15; ++row) {
            const QModelIndex cell = shown.page->model()->index(row, shown.column(kBest));
            if (cell.data(RunTableModel::GoodRole).toBool()) {
                ++good;
                QCOMPARE(shown.cell(row, QStringLiteral("lr")), QStringLiteral("0.0003"));
                QCOMPARE(shown.cell(row, QStringLiteral("seed")), QStringLiteral("1"));
            }
        }
        QCOMPARE(good, 1);
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-page")));
    }

    void aClickOnAHeaderSorts() {
        Shown shown;
        QVERIFY(shown.sweep());
        // At first the best run is first.
        const auto value = [&](int row) { return shown.cell(row, kBest).toDouble(); };
        for (int row = 1; row < 15; ++row) {
            QVERIFY(value(row - 1) <= value(row));
        }
        QCOMPARE(shown.page->view()->header()->sortIndicatorSection(), shown.column(kBest));
        shown.page->view()->scrollToBottom();
        QVERIFY(shown.clickHeader(kBest));
        QVERIFY(value(0) > value(14));
        QCOMPARE(shown.page->view()->verticalScrollBar()->value(), 0); // at the first rows
        QCOMPARE(shown.page->view()->header()->sortIndicatorOrder(), Qt::DescendingOrder);
        // Numbers as numbers, and stable: equal rows keep their order.
        QVERIFY(shown.clickHeader(QStringLiteral("lr")));
        QCOMPARE(shown.cell(0, QStringLiteral("lr")), QStringLiteral("0.0001"));
        QCOMPARE(shown.cell(14, QStringLiteral("lr")), QStringLiteral("0.001"));
    }

    void theFilterLanguage() {
        Shown shown;
        QVERIFY(shown.sweep());
        QVERIFY(shown.filter("lr < 1e-3 and seed <= 2"));
        QCOMPARE(shown.page->model()->rowCount(), 4);
        QCOMPARE(shown.page->countsLine(), QStringLiteral("4 of 15 runs"));
        // An error is said; the last rows stay.
        QVERIFY(shown.filter("lr < 1e-3 and ("));
        QVERIFY(!shown.page->problem().isEmpty());
        QCOMPARE(shown.page->model()->rowCount(), 4);
        QVERIFY(shown.filter("no_such_setting == 3"));
        QVERIFY2(shown.page->problem().contains(QStringLiteral("no_such_setting")),
                 qPrintable(shown.page->problem()));
        QVERIFY(shown.filter("lr == 5"));
        QVERIFY(shown.page->problem().isEmpty());
    }

    void nothingMatchesHasAWayBack() {
        Shown shown;
        QVERIFY(shown.sweep());
        QVERIFY(shown.filter("lr == 5"));
        Button* clear = nullptr;
        for (Button* button : shown.page->findChildren<Button*>()) {
            if (button->isVisible() && button->text() == QStringLiteral("Clear Filter")) {
                clear = button;
            }
        }
        QVERIFY(clear != nullptr);
        QTest::mouseClick(clear, Qt::LeftButton);
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 15);
        QVERIFY(shown.page->view()->isVisible());
    }

    void groupsAllButSeed() {
        Shown shown;
        QVERIFY(shown.sweep());
        QTest::mouseClick(shown.page->groupButton(), Qt::LeftButton);
        ChoiceList* list = shown.page->groupList();
        QVERIFY(list->isVisible());
        QVERIFY(list->list()->count() >= 3); // lr, seed, weight_decay
        QPushButton* allBut = nullptr;
        for (QPushButton* button : list->findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("All but Seed")) {
                allBut = button;
            }
        }
        QVERIFY(allBut != nullptr);
        QTest::mouseClick(allBut, Qt::LeftButton);
        QVERIFY(shown.settled());
        QVERIFY(!list->checked().contains(QStringLiteral("seed")));
        // By the learning rate alone: a click on the other key's box.
        shown.page->setGroupBy({"lr"});
        QVERIFY(shown.settled());
        list->close();
        QCOMPARE(shown.page->model()->rowCount(), 3);
        QCOMPARE(shown.page->countsLine(), QStringLiteral("15 runs, 3 groups"));
        QCOMPARE(shown.page->model()->row(shown.page->model()->index(0, 0)).name,
                 QStringLiteral("0.0003")); // its value; with the name in the tooltip
        QVERIFY(shown.page->model()
                    ->index(0, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("lr 0.0003")));
        QVERIFY2(shown.cell(0, kBest).contains(QStringLiteral(" ± ")),
                 qPrintable(shown.cell(0, kBest)));
        QCOMPARE(shown.cell(0, QStringLiteral("n")), QStringLiteral("5"));
        QVERIFY(shown.column(QStringLiteral("seed")) < 0); // differs within a group
        QCOMPARE(shown.cell(0, QStringLiteral("lr")), QStringLiteral("0.0003"));
        // A group's box marks its runs with one colour; the chart has a band.
        shown.clickBox(0);
        shown.clickBox(1);
        QVERIFY(shown.settled());
        QCOMPARE(shown.marks.count(), std::size_t{10});
        QVERIFY(shown.page->countsLine().endsWith(QStringLiteral("10 marked")));
        QTRY_VERIFY_WITH_TIMEOUT(
            shown.page->charts()->contentOf(QStringLiteral("eval_loss")).curves.size() == 2,
            kTimeoutMs);
        const ChartContent content = shown.page->charts()->contentOf(QStringLiteral("eval_loss"));
        QVERIFY(content.curves[0].low && content.curves[0].high);
        QCOMPARE(content.curves[0].count->y().front(), 5.0);
        QVERIFY(content.curves[0].low->y().front() < content.curves[0].data->y().front());
        QCOMPARE(content.curves[1].series, 1);
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-groups")));
        // The panel tells best, mean and worst.
        shown.click(0);
        const QString facts = shown.page->side()->facts().join(QLatin1Char('\n'));
        QVERIFY2(facts.contains(QStringLiteral("best: ")) &&
                     facts.contains(QStringLiteral("mean: ")) &&
                     facts.contains(QStringLiteral("worst: ")),
                 qPrintable(facts));
        QSignalSpy diffs(shown.page, &RunsPage::diffRequested);
        QTest::mouseClick(shown.page->side()->diffButton(), Qt::LeftButton);
        QCOMPARE(diffs.size(), 1);
    }

    void threeMarkedRunsAreOverlaid() {
        Shown shown;
        QVERIFY(shown.sweep());
        const QString first = shown.page->model()->index(0, 0).data().toString();
        shown.clickBox(0);
        shown.clickBox(5);
        shown.click(10);
        QTest::keyClick(shown.page->view(), Qt::Key_Space);
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->countsLine(), QStringLiteral("15 runs, 3 marked"));
        QTRY_VERIFY_WITH_TIMEOUT(
            shown.page->charts()->contentOf(QStringLiteral("loss")).curves.size() == 3, kTimeoutMs);
        const ChartContent content = shown.page->charts()->contentOf(QStringLiteral("loss"));
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(content.curves[static_cast<std::size_t>(i)].series, i);
            QVERIFY(!content.curves[static_cast<std::size_t>(i)].low);
        }
        // Filtered and sorted, a run keeps its colour; X unmarks.
        QVERIFY(shown.clickHeader(kBest));
        QCOMPARE(shown.page->model()
                     ->findRun(shown.path() / first.toStdString())
                     .data(RunTableModel::SlotRole)
                     .toInt(),
                 0);
        shown.page->view()->setFocus();
        QTest::keyClick(shown.page->view(), Qt::Key_X);
        QCOMPARE(shown.marks.count(), std::size_t{2});
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-marked")));
    }

    void atFirstSightTheBestAreMarked() {
        QJsonObject kept;
        {
            Shown shown;
            QVERIFY(shown.newSweep());
            QVERIFY(shown.settled());
            QCOMPARE(shown.marks.count(), std::size_t{5});
            for (int row = 0; row < 15; ++row) { // the first rows, in the order of their colours
                QCOMPARE(shown.page->model()->index(row, 0).data(RunTableModel::SlotRole).toInt(),
                         row < 5 ? row : -1);
            }
            QTRY_COMPARE_WITH_TIMEOUT(
                shown.page->charts()->contentOf(QStringLiteral("loss")).curves.size(),
                std::size_t{5}, kTimeoutMs);
            kept = shown.page->keptState();
            QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-first")));
            // What the user unmarks stays so.
            for (int row = 0; row < 5; ++row) {
                shown.clickBox(row);
            }
            shown.page->reload();
            QVERIFY(shown.settled());
            QCOMPARE(shown.marks.count(), std::size_t{0});
        }
    }

    void manyCurvesAreColouredByASetting() {
        Shown shown;
        QVERIFY(shown.sweep());
        shown.click(0);
        QTest::keyClick(shown.page->view(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(shown.page->view(), Qt::Key_X);
        QVERIFY(shown.settled());
        QCOMPARE(shown.marks.count(), std::size_t{15});
        const QString loss = QStringLiteral("loss");
        QTRY_COMPARE_WITH_TIMEOUT(shown.page->charts()->contentOf(loss).curves.size(),
                                  std::size_t{15}, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(shown.page->charts()->chart(loss) != nullptr, kTimeoutMs);
        // By the setting that differs most, at first.
        QCOMPARE(shown.page->bar()->colourButton()->text(), QStringLiteral("Colour by lr"));
        const ChartContent content = shown.page->charts()->contentOf(loss);
        QVERIFY(content.scale != nullptr);
        QCOMPARE(content.scale->title, QStringLiteral("lr"));
        QCOMPARE(content.scale->marks.size(), std::size_t{3});
        QCOMPARE(content.scale->marks[1].text, QStringLiteral("0.0003"));
        int middle = 0;
        for (const ChartCurve& curve : content.curves) {
            const bool isMiddle = curve.run.contains(QStringLiteral("0.0003"));
            middle += isMiddle ? 1 : 0;
            QVERIFY(curve.share.has_value());
            QCOMPARE(isMiddle, *curve.share > 0.1 && *curve.share < 0.9);
        }
        QCOMPARE(middle, 5);
        // Parallel coordinates have the same colours.
        const RelationPtr lines = shown.page->footer()->relation()->parallel()->relation();
        QVERIFY(lines != nullptr && lines->scale != nullptr);
        QCOMPARE(lines->scale->title, QStringLiteral("lr"));
        for (const RelationItem& item : lines->items) {
            const auto curve = std::ranges::find(content.curves, item.name, &ChartCurve::run);
            QVERIFY(curve != content.curves.end());
            QCOMPARE(item.share, curve->share);
        }
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-many")));
        // A click on a curve selects the row of its run.
        QSignalSpy chosen(shown.page, &RunsPage::runChosen);
        CurveChart* chart = shown.page->charts()->chart(loss);
        QTRY_VERIFY_WITH_TIMEOUT(chart->list() != nullptr && chart->list()->rows().size() == 8,
                                 kTimeoutMs);
        const QString name = chart->list()->rows()[3].name;
        QTest::mouseClick(chart->list(), Qt::LeftButton, {}, chart->list()->placeOfRow(3));
        QCOMPARE(shown.page->view()->currentIndex().data().toString(), name);
        QCOMPARE(shown.page->selectedRuns().size(), std::size_t{1});
        QCOMPARE(chosen.size(), 1);
        // Another column, or each run its own colour.
        QTest::mouseClick(shown.page->bar()->colourButton(), Qt::LeftButton);
        const auto choose = [&](const QString& title) {
            QListWidget* list = shown.page->bar()->colourList()->list();
            const QList<QListWidgetItem*> found = list->findItems(title, Qt::MatchExactly);
            if (!found.isEmpty()) {
                list->scrollToItem(found.front());
                QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                                  list->visualItemRect(found.front()).center());
            }
            return !found.isEmpty();
        };
        QVERIFY(choose(QStringLiteral("seed")));
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->charts()->contentOf(loss).scale->title, QStringLiteral("seed"));
        const QJsonObject kept = shown.page->keptState();
        QTest::mouseClick(shown.page->bar()->colourButton(), Qt::LeftButton);
        auto* names = shown.page->bar()->colourList();
        QVERIFY(names->isVisible());
        for (const bool isEmpty : {false, true}) { // Esc clears the field, then closes the list
            auto* field = names->findChild<QLineEdit*>();
            field->setText(isEmpty ? QString() : QStringLiteral("se"));
            QTest::keyClick(field, Qt::Key_Escape);
            QCOMPARE(names->isVisible(), !isEmpty);
        }
        QTest::mouseClick(shown.page->bar()->colourButton(), Qt::LeftButton);
        QVERIFY(choose(QStringLiteral("Each run its own")));
        QVERIFY(shown.settled());
        QVERIFY(shown.page->charts()->contentOf(loss).scale == nullptr);
        QVERIFY(shown.page->footer()->relation()->parallel()->relation()->scale == nullptr);
        shown.page->restoreState(kept);
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->charts()->contentOf(loss).scale->title, QStringLiteral("seed"));
    }

    void theFilterCompletesColumns() {
        QWidget frame; // what is wrong with a filter is shown over the window, which a splitter
                       // lays out
        frame.resize(1110, 800);
        Shown shown;
        shown.window.setParent(&frame);
        frame.show();
        shown.window.show();
        QVERIFY(shown.sweep());
        auto* field = static_cast<FilterField*>(shown.page->filterField());
        QVERIFY(field->isVisible());
        QVERIFY(field->width() > shown.page->width() - 6 * theme::kGrid); // as wide as the page
        QSignalSpy edited(shown.page, &RunsPage::filterEdited);
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("wei"));
        QCOMPARE(field->completions(), QStringList{QStringLiteral("weight_decay")});
        QVERIFY(field->completer()->popup()->isVisible());
        // The beginning of a column's name is in no run's name; until it is whole, all stay.
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 15);
        QVERIFY(!shown.page->problem().isEmpty());
        QTest::keyClick(field, Qt::Key_Tab);
        QCOMPARE(field->text(), QStringLiteral("weight_decay"));
        QTest::keyClicks(field, QStringLiteral(" < 0.05 a"));
        QVERIFY(field->completions().contains(QStringLiteral("and")));
        QTest::keyClick(field, Qt::Key_Tab);
        QTest::keyClicks(field, QStringLiteral(" lr == 0.00"));
        QCOMPARE(field->completions(),
                 (QStringList{QStringLiteral("0.0001"), QStringLiteral("0.0003"),
                              QStringLiteral("0.001")}));
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 15); // none has 0.00, which may become 0.001
        QTest::keyClicks(field, QStringLiteral("03"));
        field->completer()->popup()->hide();
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 3); // seeds 1, 3, 5
        QCOMPARE(edited.back()[0].toString(),
                 QStringLiteral("weight_decay < 0.05 and lr == 0.0003"));
        // What is not finished leaves the rows, and nothing moves.
        const int top = shown.page->view()->mapTo(shown.page, QPoint()).y();
        QTest::keyClicks(field, QStringLiteral(" and seed <"));
        field->completer()->popup()->hide();
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 3);
        QVERIFY(!shown.page->problem().isEmpty());
        QCOMPARE(shown.page->view()->mapTo(shown.page, QPoint()).y(), top);
        shown.page->setFilter({}); // from the window
        QVERIFY(field->text().isEmpty());
    }

    /// Rows of the filter before are shown while a word is typed, and nothing is done with them.
    void aTypedFilterEnds() {
        Shown shown;
        QVERIFY(shown.sweep());
        RunsPage* page = shown.page;
        auto* field = static_cast<FilterField*>(page->filterField());
        const auto isActive = [&] { // again, after the list of completions
            shown.window.activateWindow();
            return QTest::qWaitForWindowActive(&shown.window);
        };
        const auto type = [&](const char* keys) {
            field->clear();
            const bool isCleared = shown.settled() && isActive();
            field->setFocus();
            QTest::keyClicks(field, QString::fromUtf8(keys));
            field->completer()->popup()->hide();
            return isCleared && shown.settled() && page->model()->rowCount() == 15 &&
                   !page->problem().isEmpty();
        };
        const auto ended = [&] {
            return shown.settled() && page->model()->rowCount() == 0 && page->problem().isEmpty();
        };
        QVERIFY(type("wei"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(ended());

        QVERIFY(type("wei"));
        QVERIFY(isActive());
        page->view()->setFocus();
        QVERIFY2(ended(), qPrintable(page->problem() + page->countsLine()));

        QVERIFY(type("wei"));
        page->view()->selectAll();
        QVERIFY(!page->copySelection(Page::CopyAs::Rows));
        QVERIFY(ended());

        QVERIFY(type("wei"));
        const QSignalSpy marked(page, &RunsPage::marksEdited);
        page->view()->selectAll();
        QTest::keyClick(page->view(), Qt::Key_X);
        QCOMPARE(marked.size(), 0);
        QVERIFY(ended());

        QVERIFY(type("wei"));
        page->bar()->exportMenu()->actions().front()->trigger();
        auto* dialog = page->bar()->findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        const QSignalSpy exported(page->bar(), &RunsBar::exported);
        Q_EMIT dialog->fileSelected(shown.folder.filePath(QStringLiteral("runs.csv")));
        QCOMPARE(exported.size(), 1);
        QCOMPARE(exported[0][0].toString(), page->problem());
        dialog->reject();
        QVERIFY(ended());
        QVERIFY(!QFile::exists(shown.folder.filePath(QStringLiteral("runs.csv"))));

        // A change in the middle of it leaves nothing to be finished.
        QVERIFY(isActive());
        field->setFocus();
        QVERIFY(field->hasFocus());
        field->setText(QStringLiteral(" and lr == 5"));
        field->home(false);
        QTest::keyClicks(field, QStringLiteral("wei"));
        field->completer()->popup()->hide();
        QVERIFY(!field->completions().isEmpty());
        QVERIFY(ended());
        page->showExperiment(nullptr); // whose filter before is another one's
        QCOMPARE(page->query().validFilter, std::string());
    }

    void aRowIsChosen() {
        Shown shown;
        QVERIFY(shown.sweep());
        QSignalSpy chosen(shown.page, &RunsPage::runChosen);
        QSignalSpy opened(shown.page, &RunsPage::checkpointChosen);
        QVERIFY(!shown.page->side()->facts().isEmpty()); // of all runs
        shown.click(7);
        QCOMPARE(chosen.size(), 1);
        const QString name = shown.page->model()->index(7, 0).data().toString();
        QCOMPARE(shown.page->side()->headline(), name);
        // It stays chosen in another order, and is not announced again.
        QVERIFY(shown.clickHeader(kBest));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(shown.page->view()->currentIndex().data().toString(), name);
        shown.page->setCurrentRun(shown.path() / "lr-0.001-seed-2");
        QCOMPARE(chosen.size(), 1);
        QVERIFY(shown.page->side()->headline().contains(QStringLiteral("0.001")));
        // Its best checkpoint is opened: by a double click, and by Enter.
        const int row = shown.page->view()->currentIndex().row();
        shown.click(row);
        QTest::mouseDClick(shown.page->view()->viewport(), Qt::LeftButton, {}, shown.place(row));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].value<std::filesystem::path>(),
                 shown.path() / "lr-0.001-seed-2/checkpoint-2000");
        QTest::keyClick(shown.page->view(), Qt::Key_Return);
        QCOMPARE(opened.size(), 2);
    }

    void rowsAreCopied() {
        Shown shown;
        QVERIFY(shown.sweep());
        shown.click(0);
        shown.click(2, Qt::ShiftModifier);
        QVERIFY(shown.page->copySelection(Page::CopyAs::Rows));
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        const QStringList lines = copied->text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith(QStringLiteral("run\t")));
        QVERIFY(lines[1].contains(QStringLiteral("0.0003"))); // the best first
        QVERIFY(copied->html().contains(QStringLiteral("<td>")));
        QVERIFY(!shown.page->copySelection(Page::CopyAs::Python));
    }

    void exportsWhatIsShown() {
        Shown shown;
        QVERIFY(shown.sweep(1));
        const RunRowsPtr rows = shown.page->model()->rows();
        const QString csv = QString::fromUtf8(exportRuns(*rows, RunsFormat::Csv));
        QCOMPARE(csv.count(QLatin1Char('\n')), 4);
        QVERIFY(csv.startsWith(QStringLiteral("run,")));
        const QString table = QString::fromUtf8(exportRuns(*rows, RunsFormat::Markdown));
        QVERIFY(table.startsWith(QStringLiteral("| run | ")));
        QVERIFY(table.contains(QStringLiteral("---:")));
        QVERIFY(QString::fromUtf8(exportRuns(*rows, RunsFormat::Tsv)).contains(QLatin1Char('\t')));
    }

    void exportsNumbersAsProgramsReadThem() {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        {
            Shown shown;
            QVERIFY(shown.sweep(1));
            const RunRowsPtr rows = shown.page->model()->rows();
            bool comma = false;
            for (const RunRows::Cell& cell : rows->rows.front().cells) {
                comma = comma || cell.text.contains(QLatin1Char(','));
            }
            QVERIFY(comma);
            const QString table = QString::fromUtf8(exportRuns(*rows, RunsFormat::Tsv));
            QLocale::setDefault(before);
            QVERIFY2(!table.contains(QLatin1Char(',')), qPrintable(table));
        }
    }

    void columnsAreChosenAndKept() {
        QJsonObject kept;
        {
            Shown shown;
            QVERIFY(shown.sweep(2));
            QTest::mouseClick(shown.page->columnsButton(), Qt::LeftButton);
            QListWidget* list = shown.page->columnList()->list();
            for (int row = 0; row < list->count(); ++row) {
                const QString name = list->item(row)->text();
                if (name == QStringLiteral("seed") || name == QStringLiteral("optimizer")) {
                    list->setCurrentRow(row);
                    QTest::keyClick(list, Qt::Key_Space);
                }
            }
            shown.page->columnList()->close();
            QVERIFY(shown.settled());
            QVERIFY(shown.column(QStringLiteral("seed")) < 0);
            QVERIFY(shown.column(QStringLiteral("optimizer")) > 0);
            shown.page->sortBy(1, Qt::DescendingOrder);
            shown.page->view()->header()->resizeSection(1, 123);
            QVERIFY(shown.settled());
            kept = shown.page->keptState();
        }
        Shown again;
        again.page->restoreState(kept);
        QVERIFY(again.sweep(2));
        QVERIFY(again.column(QStringLiteral("seed")) < 0);
        QVERIFY(again.column(QStringLiteral("optimizer")) > 0);
        QVERIFY(again.page->query().sorted && again.page->query().descending);
        QCOMPARE(again.page->view()->header()->sectionSize(1), 123);
        QCOMPARE(test::chosen(again.page->keptState()), test::chosen(kept));
    }

    void explainsTheMetric() {
        Shown shown;
        QVERIFY(shown.sweep());
        QTRY_VERIFY_WITH_TIMEOUT(shown.page->footer()->explanation()->isVisible(), kTimeoutMs);
        QVERIFY(shown.page->footer()->settings()->isVisible());
        QVERIFY(shown.page->footer()->explanation()->accessibleName().contains(
            QStringLiteral("eval_loss")));
    }

    void oneRunAndNoLogs() {
        Shown shown;
        test::writeCheckpoint(shown.path() / "only" / "checkpoint-100");
        QVERIFY(shown.open());
        QVERIFY(shown.page->countsLine().startsWith(QStringLiteral("1 run")));
        QVERIFY(!shown.page->footer()->hint().isEmpty());
        QVERIFY(!shown.page->footer()->settings()->isVisible());
        QVERIFY(!shown.page->footer()->explanation()->isVisible());
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-one")));
        shown.page->showExperiment(nullptr);
        QCOMPARE(shown.page->notice()->headline(), QStringLiteral("No folder is open"));
    }

    /// Long tables are filtered and sorted on a worker; the page only exchanges the rows.
    void manyRunsAreArrangedQuickly() {
        Shown shown;
        Experiment experiment;
        experiment.path = shown.path();
        experiment.name = "many";
        for (int i = 0; i < 1500; ++i) {
            ScannedRun run;
            run.id = "run-" + std::to_string(i);
            run.name = run.id;
            run.path = shown.path() / run.id;
            experiment.runs.push_back(std::move(run));
        }
        shown.page->showExperiment(std::make_shared<const Experiment>(std::move(experiment)));
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 1500);
        QElapsedTimer clock;
        clock.start();
        shown.page->setFilter(QStringLiteral("run-12"));
        QVERIFY(clock.elapsed() < 100); // returns at once
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 111);
        shown.page->setFilter({});
        QVERIFY(shown.settled());
        shown.page->view()->setFocus();
        clock.restart();
        QTest::keyClick(shown.page->view(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(shown.page->view(), Qt::Key_X);
        qInfo("1,500 runs selected and marked in %lld ms", clock.elapsed());
        QVERIFY(clock.elapsed() < 2000);
        QCOMPARE(shown.marks.count(), std::size_t{1500});
        QVERIFY(shown.page->countsLine().endsWith(QStringLiteral("1,500 marked")));
    }

    void arrangesAMillionCells() {
        constexpr std::size_t kRuns = 1500;
        constexpr std::size_t kMetrics = 1500;
        auto names = std::make_shared<std::vector<std::string>>();
        for (std::size_t i = 0; i < kMetrics; ++i) {
            names->push_back("group/metric_" + std::to_string(i) + "_loss");
        }
        RunsData data;
        auto table = std::make_shared<RunTable>();
        for (std::size_t i = 0; i < kRuns; ++i) {
            ScannedRun run;
            run.id = "run-" + std::to_string(i);
            run.name = run.id;
            run.path = "/many/" + run.id;
            data.experiment.runs.push_back(run);
            RunRow row;
            row.id = run.id;
            row.names = names;
            for (std::size_t metric = 0; metric < kMetrics; ++metric) {
                const double value = static_cast<double>((i * 7919 + metric * 31) % 10'007) / 997.0;
                row.cells.push_back({0, 100, 1000, value, 900, value * 0.9});
            }
            row.settings.push_back({"lr", Value(0.001 * static_cast<double>(i % 7)), false});
            row.settings.push_back({"seed", Value(static_cast<std::int64_t>(i)), false});
            table->rows.push_back(std::move(row));
        }
        data.grid = RunGrid(data.experiment, table);
        RunsQuery query;
        query.filter = "lr > 0.001";
        query.sorted = true;
        query.sortKey = data.grid.nameOf(GridColumn::metric(700));
        QElapsedTimer clock;
        clock.start();
        const Result<RunsArrangement> arrangement = arrangeRuns(data, query, {});
        const qint64 took = clock.elapsed();
        QVERIFY(arrangement);
        QVERIFY(!arrangement->problem);
        QVERIFY(arrangement->rows->rows.size() > 1000);
        qInfo("1,500 runs with 1,500 metrics filtered, sorted and laid out in %lld ms", took);
        QVERIFY(took < 500); // a busy machine; see the printed figure
    }

private:
    QTemporaryDir m_settings;
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::RunsPageTest)
#include "runs_page_test.moc"
