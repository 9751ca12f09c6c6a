// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters around a checkpoint are offered and folded in; config and tokenizer from elsewhere. The
// command that is copied makes the same plan.
#include "core/formats/format.h"
#include "core/model/tensor_reader.h"
#include "tests/ui/support/job_pages.h"
#include "tests/ui/support/made_adapter.h"
#include "ui/models/row_view.h"
#include "ui/pages/consolidate/adapter_rows.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/more_options.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/diff/fold_answer.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/button.h"
#include "ui/widgets/message_strip.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QInputDialog>
#include <QMenu>
#include <QTimer>
#include <QTranslator>

#include <cstring>
#include <fstream>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

/// The elements of the weight as bytes.
std::vector<std::byte> weightOf(const Checkpoint& checkpoint) {
    for (const std::string& name : {kAdaptedWeight, "model." + kAdaptedWeight}) {
        if (const auto index = checkpoint.find(name)) {
            const TensorEntry& tensor = checkpoint.tensor(*index);
            auto reader = TensorReader::open(checkpoint, tensor);
            TensorReader::Scratch scratch;
            std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.bytes()));
            if (reader && reader->readBytes(Box::whole(tensor.shape), 0, bytes, scratch)) {
                return bytes;
            }
        }
    }
    return {};
}

} // namespace

class AdapterWorkflowTest : public QObject {
    Q_OBJECT

    QTranslator m_plurals;
    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    ConsolidatePage& page() { return *window().pages().consolidate; }
    Deployment& deployment() { return window().deployment(); }
    std::filesystem::path adapter(const char* name) {
        return m_fixture->experiment() / "tiny-llama-a" / name;
    }
    void planned() {
        QTest::qWait(450); // the typed text has been processed
        QTRY_VERIFY_WITH_TIMEOUT(!deployment().isPlanning(), kTimeoutMs);
    }

    /// Opens the button's menu and clicks the row that ends so.
    void chooseInMenu(Button& button, const QString& ending) {
        QTimer::singleShot(100, this, [menu = button.menu(), ending] {
            for (QAction* action : menu->actions()) {
                if (action->text().endsWith(ending)) {
                    QTest::mouseClick(menu, Qt::LeftButton, {},
                                      menu->actionGeometry(action).center());
                    break; // it may be there again, after the last ones
                }
            }
            menu->close(); // also if there is none: the menu blocks
        });
        QTest::mouseClick(&button, Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() { // "the adapter", not "the adapters"
        QVERIFY(m_plurals.load(QStringLiteral(":/i18n/cairn_en.qm")));
        QVERIFY(QApplication::installTranslator(&m_plurals));
    }
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        const auto base = openCheckpoint(m_fixture->experiment() / "hf-export");
        QVERIFY(base);
        const auto index = (*base)->find(kAdaptedWeight);
        QVERIFY(index);
        writeAdapter(adapter("lora-good"), (*base)->tensor(*index).shape);
        writeAdapter(adapter("lora-odd"), (*base)->tensor(*index).shape, "org/base",
                     3); // its rank is 1
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        window().actions().showJobs->trigger();
        planned();
        QTRY_VERIFY_WITH_TIMEOUT(page().adapters()->box(adapter("lora-good")) != nullptr,
                                 kTimeoutMs);
    }
    void cleanup() { m_fixture.reset(); }

    void anAdapterIsNoCheckpointOfTheRun() {
        const NavigatorModel& model = *window().navigator()->model();
        const QModelIndex run = model.findRun(m_fixture->experiment() / "tiny-llama-a");
        QCOMPARE(run.data(NavigatorModel::DimTextRole).toString(), QStringLiteral("4 checkpoints"));
    }

    void explainsAMergedModel() {
        page().adapters()->box(adapter("lora-good"))->click();
        planned();
        const std::filesystem::path merged = deployment().planned()->plan.output;
        page().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        DiffPage& diff = *window().pages().diff;
        window().workspace()->setCurrentTab(window().workspace()->tabOf(&diff));
        diff.compareWith(merged);
        QTRY_VERIFY_WITH_TIMEOUT(diff.document() && diff.document()->hasValues(), kTimeoutMs);
        FoldAnswer& answer = *diff.foldAnswer();
        QVERIFY(!answer.isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(answer.isSettled() && answer.found().size() == 2, kTimeoutMs);
        const auto title = [&] {
            const auto* strip = answer.findChild<MessageStrip*>();
            return strip->isVisible() ? strip->title() : QString();
        };
        chooseInMenu(*answer.button(), QStringLiteral("lora-good"));
        QTRY_COMPARE_WITH_TIMEOUT(
            title(), QStringLiteral("B is A with the adapter lora-good folded in"), kTimeoutMs);
        QVERIFY(showsText(answer, QStringLiteral("1 with adapter weights: 20 unchanged, 1 exact")));
        picture(window(), QStringLiteral("diff-explained"));

        // At half its scale it would not be B.
        chooseInMenu(*answer.button(), QStringLiteral("Scale of lora-good…"));
        auto* dialog = answer.findChild<QInputDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QCOMPARE(dialog->doubleValue(), 1.0);
        dialog->setDoubleValue(0.5);
        dialog->accept();
        QTRY_COMPARE_WITH_TIMEOUT(
            title(), QStringLiteral("B is not A with the adapter lora-good × 0.5 folded in"),
            kTimeoutMs);

        // The other way round nothing fits.
        answer.explain({{adapter("lora-good")}}, true);
        QTRY_COMPARE_WITH_TIMEOUT(
            title(), QStringLiteral("A is not B with the adapter lora-good folded in"), kTimeoutMs);
        QVERIFY(showsText(answer, QString::fromStdString(kAdaptedWeight)));
        picture(window(), QStringLiteral("diff-not-explained"));
        QTest::mouseClick(button(answer, QStringLiteral("Show Tensor")), Qt::LeftButton);
        QCOMPARE(diff.view()->currentIndex().siblingAtColumn(0).data().toString(),
                 QStringLiteral("weight"));

        // Stopped, it never answers.
        answer.explain({{adapter("lora-good")}});
        QVERIFY(answer.isVisible() && !answer.isSettled());
        QTest::mouseClick(button(answer, QStringLiteral("Stop")), Qt::LeftButton);
        QVERIFY(!answer.isVisible() && answer.isSettled());
        QTest::qWait(200);
        QVERIFY(!answer.isVisible());

        // Two, one after another, although only the first was folded in.
        const std::filesystem::path second = m_fixture->folder() / "far" / "lora-second";
        const auto base = openCheckpoint(m_fixture->experiment() / "hf-export");
        QVERIFY(base);
        writeAdapter(second, (*base)->tensor(*(*base)->find(kAdaptedWeight)).shape);
        answer.explain({{adapter("lora-good")}, {second}});
        QTRY_COMPARE_WITH_TIMEOUT(
            title(),
            QStringLiteral("B is not A with the adapters lora-good, lora-second folded in"),
            kTimeoutMs);

        chooseInMenu(*answer.button(), QStringLiteral("lora-odd")); // its config does not fit
        QTRY_VERIFY_WITH_TIMEOUT(answer.isSettled() && !title().isEmpty(), kTimeoutMs);
        QVERIFY2(title() != QStringLiteral("B is A with the adapter lora-odd folded in"),
                 qPrintable(title()));
        diff.compareWith(m_fixture->experiment() / "tiny-llama-a/step-300");
        QTRY_VERIFY_WITH_TIMEOUT(!answer.isVisible(), kTimeoutMs); // it is of another pair
    }

    void offersAndFoldsWhatIsThere() {
        AdapterRows& rows = *page().adapters();
        QVERIFY(rows.isVisible());
        QVERIFY(showsText(rows, QStringLiteral("LORA for org/base")));
        QCheckBox* box = rows.box(adapter("lora-good"));
        QCOMPARE(box->text(), QStringLiteral("Fold in adapter lora-good"));
        QVERIFY(!box->isChecked());
        QVERIFY(!rows.scale(adapter("lora-good"))->isEnabled());
        box->click();
        planned();
        QVERIFY2(deployment().isRunnable(), qPrintable(deployment().forecastTip()));
        rows.scale(adapter("lora-good"))->setValue(0.5);
        planned();
        QVERIFY(deployment().isRunnable());
        QCOMPARE(deployment().planned()->plan.adapters.size(), std::size_t{1});
        QCOMPARE(deployment().planned()->plan.adapters.front().scale, 0.5);
        QVERIFY(deployment().command().contains(QStringLiteral("--adapter ")));
        QVERIFY(deployment().command().contains(QStringLiteral("lora-good=0.5")));
        picture(window(), QStringLiteral("job-adapter"));
        const std::filesystem::path output = deployment().planned()->plan.output;
        page().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        QTRY_VERIFY(findStrip(page(), QStringLiteral("every byte compared")));
        const auto written = openCheckpoint(output);
        QVERIFY(written);
        const std::vector<std::byte> before = weightOf(*window().checkpoint());
        const std::vector<std::byte> after = weightOf(**written);
        QVERIFY(!after.empty() && before != after);
    }

    void severalAreFoldedInTheOrderOfTheirChoice() {
        page().adapters()->box(adapter("lora-odd"))->click();
        planned();
        QVERIFY(deployment().isBlocked());
        QCOMPARE(page().startButton()->text(), QStringLiteral("Check Failed"));
        QVERIFY(!page().startButton()->isEnabled());
        QVERIFY(!page().startButton()->toolTip().isEmpty());
        QVERIFY(window().actions().consolidate->text().endsWith(QStringLiteral("…")));
        picture(window(), QStringLiteral("job-adapter-refused"));
        page().adapters()->box(adapter("lora-good"))->click();
        planned();
        QCOMPARE(deployment().choices().request.adapters.size(), std::size_t{2});
        QCOMPARE(deployment().choices().request.adapters.front().place.path(), adapter("lora-odd"));
        page().adapters()->box(adapter("lora-odd"))->click();
        planned();
        QVERIFY(deployment().isRunnable());
        QCOMPARE(page().startButton()->text(), QStringLiteral("Deploy"));
        // Another checkpoint: nothing is folded into it without being asked for.
        m_fixture->choose("tiny-llama-a/step-200");
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() &&
                                     window().checkpoint()->path().filename() == "step-200",
                                 kTimeoutMs);
        QVERIFY(deployment().choices().request.adapters.empty());
    }

    void anAdapterFromElsewhere() {
        const std::filesystem::path far = m_fixture->folder() / "far" / "my-lora";
        std::filesystem::create_directories(far.parent_path());
        std::filesystem::rename(adapter("lora-good"), far);
        page().findChild<MoreOptions*>()->addAdapter(far);
        planned();
        QVERIFY2(deployment().isRunnable(), qPrintable(deployment().forecastTip()));
        QVERIFY(page().adapters()->box(far)->isChecked());
        std::filesystem::create_directories(m_fixture->folder() / "nothing");
        page().findChild<MoreOptions*>()->addAdapter(m_fixture->folder() / "nothing");
        planned();
        QVERIFY(deployment().planError());
        QCOMPARE(page().startButton()->text(), QStringLiteral("Check Failed"));
    }

    void configAndTokenizerFromElsewhere() {
        MoreOptions& more = *page().findChild<MoreOptions*>();
        more.setLike(m_fixture->experiment() / "tiny-gru-tf"); // no config.json in it
        planned();
        QCOMPARE(page().startButton()->text(), QStringLiteral("Check Failed"));
        QVERIFY(deployment().planError());
        more.setLike(m_fixture->experiment() / "hf-export");
        planned();
        QVERIFY2(deployment().isRunnable(), qPrintable(deployment().forecastTip()));
        QVERIFY(showsText(*more.firstRows(), QStringLiteral("hf-export"))); // always visible
        QVERIFY(deployment().command().contains(QStringLiteral("--like ")));
        QVERIFY(deployment().command().contains(QStringLiteral("hf-export")));
        picture(window(), QStringLiteral("job-like"));
        // A target without config: it has no effect there.
        QVERIFY(choose(button(page(), QStringLiteral("Hugging Face folder")),
                       QStringLiteral("PyTorch")));
        planned();
        QVERIFY(!deployment().command().contains(QStringLiteral("--like")));
        more.setLike({});
        planned();
        QVERIFY(deployment().choices().request.like.empty());
    }

    void nothingIsFoldedWhileResharding() {
        deployment().change([this](JobChoices& choices) {
            choices.request.adapters = {{adapter("lora-good"), 1}};
            chooseFormat(choices, "dcp");
            choices.request.sharding.axes = {{2, 0}};
        });
        planned();
        QVERIFY(deployment().planError());
        QVERIFY(page().adapters()->isVisible()); // to take it out again
    }
};

QTEST_MAIN(AdapterWorkflowTest)
#include "adapter_workflow_test.moc"
