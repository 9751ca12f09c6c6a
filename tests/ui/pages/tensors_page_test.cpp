// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/models/python_snippet.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_view.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/tensors/segments.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/widgets/card.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

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
                 QStringLiteral("embed_tokens.weight.exp_avg"));
        Q_EMIT page.findChild<Segments*>()->chosenByUser(0);
        QVERIFY(settled.wait());
        viewOf(page)->sortByColumn(static_cast<int>(TensorColumn::Name), Qt::AscendingOrder);
        QVERIFY(settled.wait());
    }

    void reportsErrorsAndEmptyResults() {
        TensorsPage page;
        page.resize(790, 420);
        page.show();
        open(page, test::makeTransformer(2));
        filter(page, QStringLiteral("/layers\\.(/"));
        QVERIFY(viewOf(page)->isVisible());
        filter(page, QStringLiteral("no_such_layer"));
        QVERIFY(page.findChild<NoticePane*>()->isVisible());
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
        torch.data().loadValues = [](const CancelToken&) -> Result<Value> {
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
