// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format.h"
#include "tests/support/safetensors_file.h"
#include "tests/ui/support/gui_watchdog.h"
#include "tests/ui/support/header_clicks.h"
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/models/python_snippet.h"
#include "ui/models/row_delegate.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/text/program_numbers.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segments.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <fstream>

namespace cairn::ui {
namespace {

RowView* viewOf(TensorsPage& page) {
    return page.findChild<RowView*>();
}

QString countsOf(TensorsPage& page) {
    for (const TextLabel* label : page.findChildren<TextLabel*>()) {
        if (label->text().contains(QStringLiteral("tensors ·"))) {
            return label->text();
        }
    }
    return {};
}

void open(TensorsPage& page, const CheckpointPtr& checkpoint) {
    QSignalSpy settled(&page, &TensorsPage::settled);
    page.showCheckpoint(checkpoint);
    QVERIFY(settled.wait(20000));
}

void filter(TensorsPage& page, const QString& text) {
    QSignalSpy settled(&page, &TensorsPage::settled);
    page.setFilter(text);
    QVERIFY(settled.wait(20000));
}

} // namespace

class TensorsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qRegisterMetaType<CheckpointPtr>("cairn::CheckpointPtr");
        qRegisterMetaType<TensorIndex>("cairn::TensorIndex");
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
        qputenv("XDG_CONFIG_HOME", m_settings.path().toLocal8Bit());
    }

    void opensFiltersAndSelects() {
        TensorsPage page;
        page.resize(790, 620);
        page.show();
        open(page, test::makeTransformer());
        RowView* view = viewOf(page);
        QVERIFY(view->isVisible());
        QVERIFY(countsOf(page).startsWith(QStringLiteral("258 tensors · ")));
        QSignalSpy selected(&page, &Page::tensorSelected);
        filter(page, QStringLiteral("q_proj.weight -exp"));
        QVERIFY2(countsOf(page).startsWith(QStringLiteral("12 of 258 tensors · ")),
                 qPrintable(countsOf(page)));
        QTest::keyClick(view, Qt::Key_Down);
        QTest::keyClick(view, Qt::Key_Down);
        QCOMPARE(selected.size(), 1);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("tensors-filtered")));
        filter(page, QString());
        QVERIFY(view->currentIndex().isValid());
        QCOMPARE(selected.size(), 1);
        QCOMPARE(view->currentIndex().siblingAtColumn(0).data(RowRoles::FullName).toString(),
                 QStringLiteral("model.layers.0.self_attn.q_proj.weight"));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("tensors-tree")));
    }

    void namesKeepTheirWidthInANarrowPage() {
        TensorsPage page;
        page.resize(790, 420);
        page.show();
        open(page, test::makeTransformer());
        const QHeaderView* header = viewOf(page)->header();
        const int name = static_cast<int>(TensorColumn::Name);
        QTRY_COMPARE(header->length(),
                     viewOf(page)->viewport()->width()); // all the available width
        page.resize(380, 420);
        QTRY_VERIFY(header->length() > viewOf(page)->viewport()->width()); // needs scrolling
        QVERIFY(header->sectionSize(name) >= 26 * viewOf(page)->fontMetrics().averageCharWidth());
        page.resize(790, 420);
        QTRY_COMPARE(header->length(), viewOf(page)->viewport()->width());
    }

    void filesAreNamedInFullWhereThereIsRoom() {
        const QTemporaryDir folder;
        const std::string name = "a-file-of-a-rather-long-name-of-32.safetensors";
        const std::filesystem::path path = folder.path().toStdString() + "/" + name;
        std::ofstream(path, std::ios::binary)
            << cairn::test::safetensorsFile({cairn::test::byteTensor("layers.0.weight"),
                                             cairn::test::byteTensor("layers.1.weight")});
        const CheckpointPtr checkpoint = openCheckpoint(path).value();
        TensorsPage page;
        page.resize(790, 620);
        page.show();
        open(page, checkpoint);
        RowView* view = viewOf(page);
        const int column = static_cast<int>(TensorColumn::Shards);
        const auto needed = [&] {
            QModelIndex row = view->model()->index(0, 0);
            while (view->model()->rowCount(row) > 0) { // groups
                row = view->model()->index(0, 0, row);
            }
            const QString text = row.siblingAtColumn(column).data().toString();
            return view->fontMetrics().horizontalAdvance(text) + 2 * RowDelegate::kPadding;
        };
        QVERIFY(needed() > 200);
        QVERIFY(view->columnWidth(column) >= needed());
        QVERIFY(view->columnWidth(0) >= 26 * view->fontMetrics().averageCharWidth());
        QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
        page.resize(560, 620); // names come first
        QTRY_VERIFY(view->columnWidth(column) < needed());
        QVERIFY(view->columnWidth(0) >= 26 * view->fontMetrics().averageCharWidth());
    }

    void listsFlatAndSorts() {
        TensorsPage page;
        page.resize(790, 620);
        page.show();
        open(page, test::makeTransformer(12, true));
        QSignalSpy settled(&page, &TensorsPage::settled);
        Q_EMIT page.findChild<Segments*>()->chosenByUser(1);
        QVERIFY(settled.wait());
        viewOf(page)->sortByColumn(static_cast<int>(TensorColumn::Bytes), Qt::DescendingOrder);
        QVERIFY(settled.wait());
        QVERIFY(test::saveScreenshots(page, QStringLiteral("tensors-list")));
        QCOMPARE(viewOf(page)->model()->index(0, 0).data().toString(),
                 QStringLiteral("optimizer.state.embed_tokens.weight.exp_avg"));
        Q_EMIT page.findChild<Segments*>()->chosenByUser(0);
        QVERIFY(settled.wait());
        viewOf(page)->sortByColumn(static_cast<int>(TensorColumn::Name), Qt::AscendingOrder);
        QVERIFY(settled.wait());
    }

    /// A click sorts, a second one turns the order around, a third one restores the natural order.
    void headersSortEveryColumn() {
        QSettings().clear(); // the order of the last page is remembered
        for (const bool tree : {false, true}) {
            TensorsPage page;
            page.resize(1100, 620);
            page.show();
            open(page, test::makeTransformer(11));
            RowView* view = viewOf(page);
            QSignalSpy settled(&page, &TensorsPage::settled);
            Q_EMIT page.findChild<Segments*>()->chosenByUser(tree ? 0 : 1);
            QVERIFY(settled.wait());
            const auto top = [&](int column) {
                QStringList cells;
                for (int row = 0; row < view->model()->rowCount(); ++row) {
                    cells << view->model()->index(row, column).data(RowRoles::FullName).toString();
                }
                return cells;
            };
            const QStringList natural = top(0);
            for (int column = 0; column < kTensorColumns; ++column) {
                view->setColumnHidden(column, false);
                const bool isLargestFirst = column == static_cast<int>(TensorColumn::Bytes);
                test::clickHeader(*view, column);
                QVERIFY(settled.wait());
                const QStringList up = top(column);
                QCOMPARE(view->header()->sortIndicatorSection(), column);
                QCOMPARE(view->header()->sortIndicatorOrder() == Qt::DescendingOrder,
                         isLargestFirst);
                test::clickHeader(*view, column);
                QVERIFY(settled.wait());
                const QStringList down = top(column);
                QCOMPARE(view->header()->sortIndicatorOrder() == Qt::AscendingOrder,
                         isLargestFirst);
                if (column == static_cast<int>(TensorColumn::Name) ||
                    column == static_cast<int>(TensorColumn::Bytes)) {
                    QVERIFY(up != down);
                }
                test::clickHeader(*view, column);
                QVERIFY(settled.wait());
                QCOMPARE(view->header()->sortIndicatorSection(), -1);
                QCOMPARE(top(column), natural);
            }
        }
    }

    void sortsWhileAFilterRuns() {
        TensorsPage page;
        page.resize(790, 420);
        page.show();
        open(page, test::makeEnormous(60'000));
        RowView* view = viewOf(page);
        QSignalSpy settled(&page, &TensorsPage::settled);
        Q_EMIT page.findChild<Segments*>()->chosenByUser(1);
        page.setFilter(QStringLiteral("experts.7 down"));
        test::clickHeader(*view, static_cast<int>(TensorColumn::Name));
        test::clickHeader(*view, static_cast<int>(TensorColumn::Bytes)); // the largest first
        QVERIFY(settled.wait(20000));
        QCOMPARE(settled.size(), 1); // the others were superseded
        const QString first = view->model()->index(0, 0).data(RowRoles::FullName).toString();
        QVERIFY2(first.startsWith(QStringLiteral("optimizer")), qPrintable(first));
        QVERIFY(first.contains(QStringLiteral("experts.7")));
        // Another checkpoint while a sort runs: only its rows arrive.
        test::clickHeader(*view, static_cast<int>(TensorColumn::Bytes));
        open(page, test::makeTransformer(1));
        filter(page, QString());
        QCOMPARE(view->model()->rowCount(), 27);
    }

    void reportsErrorsAndEmptyResults() {
        TensorsPage page;
        page.resize(790, 420);
        page.show();
        open(page, test::makeTransformer(2));
        QSignalSpy problem(&page, &TensorsPage::filterProblem);
        filter(page, QStringLiteral("/layers\\.(/"));
        QVERIFY(viewOf(page)->isVisible());
        QVERIFY(problem.last().front().toString().contains(QStringLiteral("regular expression")));
        filter(page, QStringLiteral("size > 10k"));
        QVERIFY(problem.last().front().toString().isEmpty());
        const QString counts = countsOf(page);
        filter(page, QStringLiteral("size > 10k shap ="));
        QVERIFY(problem.last().front().toString().contains(QStringLiteral("shape")));
        // Sorting goes on with the last valid filter; so does another checkpoint without one.
        QSignalSpy settled(&page, &TensorsPage::settled);
        test::clickHeader(*viewOf(page), static_cast<int>(TensorColumn::Bytes));
        QVERIFY(settled.wait());
        QVERIFY(problem.last().front().toString().contains(QStringLiteral("shape")));
        QCOMPARE(countsOf(page), counts);
        open(page, test::makeTransformer(3));
        QVERIFY(countsOf(page).startsWith(QStringLiteral("69 tensors")));
        filter(page, QStringLiteral("no_such_layer"));
        auto* notice = page.findChild<NoticePane*>();
        QVERIFY(notice->isVisible());
        QSignalSpy clear(&page, &TensorsPage::clearFilterRequested);
        QTest::mouseClick(notice->findChild<Button*>(), Qt::LeftButton);
        QCOMPARE(clear.size(), 1);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("tensors-nothing")));
        filter(page, QString());
        test::CheckpointMaker empty;
        open(page, empty.make());
        QVERIFY(page.findChild<NoticePane*>()->headline().contains(QStringLiteral("no tensors")));
    }

    void copiesRowsNamesAndPython() {
        TensorsPage page;
        page.resize(790, 620);
        page.show();
        const CheckpointPtr checkpoint = test::makeTransformer(2);
        open(page, checkpoint);
        page.showTensor(checkpoint, TensorIndex(0));
        QVERIFY(page.copySelection(Page::CopyAs::Rows));
        QVERIFY(QApplication::clipboard()->text().startsWith(
            QStringLiteral("model.embed_tokens.weight\tbfloat16\t256 × 64\t")));
        page.copyNames();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("model.embed_tokens.weight"));
        QVERIFY(page.copySelection(Page::CopyAs::Python));
        QTRY_VERIFY(QApplication::clipboard()->text().contains(QStringLiteral("FileSystemReader")));
        QVERIFY(QApplication::clipboard()->text().contains(
            QStringLiteral("torch.empty((256, 64), dtype=torch.bfloat16)")));
    }

    /// The text of all rows is the same, however it is made.
    void copiesManyRowsInAWorker() {
        QSettings().clear(); // the columns of the last page are remembered
        for (const int count : {300, 60'000}) {
            TensorsPage page;
            page.resize(790, 620);
            page.show();
            open(page, test::makeEnormous(static_cast<std::size_t>(count)));
            RowView* view = viewOf(page);
            QSignalSpy settled(&page, &TensorsPage::settled);
            Q_EMIT page.findChild<Segments*>()->chosenByUser(1);
            QVERIFY(settled.wait());
            QApplication::clipboard()->setText(QStringLiteral("before"));
            {
                const test::GuiWatchdog watchdog("Ctrl+A, copy");
                view->setFocus();
                QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
                const bool atOnce = page.copySelection(Page::CopyAs::Rows);
                QCOMPARE(atOnce, count == 300);
                QTRY_VERIFY_WITH_TIMEOUT(
                    QApplication::clipboard()->text() != QStringLiteral("before"), 30000);
            }
            const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
            QCOMPARE(lines.size(), count + 2);
            QCOMPARE(lines.front(), QStringLiteral("Name\tDtype\tShape\tSize\tShards"));
            QVERIFY(lines.back().isEmpty());
            for (int row = 0; row < count; ++row) {
                const text::ProgramNumbers numbers; // as they are copied: whole bytes
                QStringList cells{view->model()->index(row, 0).data(RowRoles::FullName).toString()};
                for (const TensorColumn column : {TensorColumn::Dtype, TensorColumn::Shape,
                                                  TensorColumn::Bytes, TensorColumn::Shards}) {
                    cells << view->model()->index(row, static_cast<int>(column)).data().toString();
                }
                if (lines[row + 1] != cells.join(QLatin1Char('\t'))) {
                    QCOMPARE(lines[row + 1], cells.join(QLatin1Char('\t')));
                }
            }
        }
    }

    /// Very many rows are not put onto the clipboard without asking.
    void offersAFileForVeryManyRows() {
        TensorsPage page;
        page.resize(790, 620);
        page.show();
        open(page, test::makeEnormous(210'000));
        RowView* view = viewOf(page);
        QSignalSpy settled(&page, &TensorsPage::settled);
        Q_EMIT page.findChild<Segments*>()->chosenByUser(1);
        QVERIFY(settled.wait());
        QApplication::clipboard()->setText(QStringLiteral("before"));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_A, Qt::ControlModifier);
        QVERIFY(!page.copySelection(Page::CopyAs::Rows));
        auto* bar = view->findChild<Card*>(QStringLiteral("copyBar"));
        QVERIFY(bar != nullptr && bar->isVisible());
        QVERIFY2(bar->accessibleName().startsWith(QStringLiteral("210,000 rows, about 2")),
                 qPrintable(bar->accessibleName()));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("tensors-copy-many")));
        const auto button = [&](const QString& text) -> Button* {
            for (Button* each : bar->findChildren<Button*>()) {
                if (each->text() == text && each->isVisible()) {
                    return each;
                }
            }
            return nullptr;
        };
        QVERIFY(button(QStringLiteral("Save as TSV…")) != nullptr);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("before"));
        QTest::mouseClick(button(QStringLiteral("Copy")), Qt::LeftButton);
        QVERIFY(button(QStringLiteral("Stop")) != nullptr);
        QTest::mouseClick(button(QStringLiteral("Stop")), Qt::LeftButton);
        QVERIFY(!bar->isVisible());
        QVERIFY(!page.copySelection(Page::CopyAs::Rows));
        QTest::mouseClick(button(QStringLiteral("Copy")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QApplication::clipboard()->text() != QStringLiteral("before"),
                                 60000);
        QCOMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), 210'001);
    }

    void pythonFollowsTheFormat() {
        test::CheckpointMaker safetensors("safetensors");
        safetensors.addTensor("w", Dtype::Float32, {4},
                              {safetensors.addShard("model.safetensors")});
        safetensors.data().path = "/data/model.safetensors";
        QCOMPARE(pythonSnippet(safetensors.make(), TensorIndex(0), {}).value(),
                 QStringLiteral(
                     "from safetensors import safe_open\n\n"
                     "with safe_open(\"/data/model.safetensors\", framework=\"pt\") as file:\n"
                     "    tensor = file.get_tensor(\"w\")\n"));
        test::CheckpointMaker torch("torch");
        torch.addTensor("model.w", Dtype::Float32, {4}, {torch.addShard("epoch_3.pt")});
        torch.data().path = "/data/epoch_3.pt";
        torch.data().loadValues = [](const CancelToken&) -> Result<LoadedValues> {
            return Value::dict(
                {{"epoch", std::int64_t{3}}, {"model", Value::dict({{"w", TensorIndex(0)}})}});
        };
        QCOMPARE(pythonSnippet(torch.make(), TensorIndex(0), {}).value(),
                 QStringLiteral(
                     "import torch\n\ncheckpoint = torch.load(\"/data/epoch_3.pt\", "
                     "map_location=\"cpu\", "
                     "weights_only=True, mmap=True)\ntensor = checkpoint[\"model\"][\"w\"]\n"));
    }

    void enormousCheckpointsDoNotStallTheWindow() {
        TensorsPage page;
        page.resize(790, 620);
        page.show();
        const CheckpointPtr checkpoint = test::makeEnormous(300'000);
        QElapsedTimer clock;
        clock.start();
        open(page, checkpoint);
        qInfo("  listed after %.0f ms", static_cast<double>(clock.nsecsElapsed()) / 1e6);
        // The longest time without event processing while a filter was typed letter by letter.
        qint64 longest = 0;
        QElapsedTimer tick;
        tick.start();
        QTimer timer;
        connect(&timer, &QTimer::timeout, this,
                [&] { longest = std::max(longest, tick.restart()); });
        timer.start(0);
        const QString typed = QStringLiteral("layers.1 down_proj");
        for (qsizetype length = 1; length <= typed.size(); ++length) {
            page.setFilter(typed.first(length));
            QTest::qWait(30);
        }
        QSignalSpy settled(&page, &TensorsPage::settled);
        page.setFilter({});
        QVERIFY(settled.wait(20000));
        qInfo("  longest gap of the event loop while typing %lld ms",
              static_cast<long long>(longest));
        QVERIFY(countsOf(page).startsWith(QStringLiteral("300,000 tensors")));
    }

private:
    QTemporaryDir m_settings;
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::TensorsPageTest)
#include "tensors_page_test.moc"
