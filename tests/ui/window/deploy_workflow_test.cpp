// SPDX-License-Identifier: GPL-3.0-or-later
// From a checkpoint, an adapter or a run to an output that its program loads: what for, whether it
// loads, one place for each problem, and how to use the result.
#include "core/formats/format.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/job_pages.h"
#include "tests/ui/support/made_adapter.h"
#include "ui/pages/consolidate/adapter_rows.h"
#include "ui/pages/consolidate/checks_card.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/job_view.h"
#include "ui/pages/consolidate/shown_adapter_card.h"
#include "ui/pages/consolidate/target_cards.h"
#include "ui/shell/frame/forecast_label.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/text/plain_text.h"

#include <QClipboard>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QThread>
#include <QTranslator>

#include <fstream>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

const QString kCompared = QStringLiteral("every byte compared");

} // namespace

class DeployWorkflowTest : public QObject {
    Q_OBJECT

    QTranslator m_plurals;
    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    ConsolidatePage& page() { return *window().pages().consolidate; }
    Deployment& deployment() { return window().deployment(); }
    ShownAdapterCard& adapterCard() { return *page().shownAdapter(); }
    TargetButton& target(Target target) { return *page().targets()->button(target); }
    void planned() {
        QTest::qWait(450); // the typed text has been processed
        QTRY_VERIFY_WITH_TIMEOUT(!deployment().isPlanning(), kTimeoutMs);
    }
    Shape weightShape() {
        const auto base = openCheckpoint(m_fixture->experiment() / "hf-export");
        return (*base)->tensor(*(*base)->find(kAdaptedWeight)).shape;
    }
    void showPage() {
        window().actions().showJobs->trigger();
        planned();
    }
    void run() {
        page().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page(), kCompared), kTimeoutMs);
    }
    void click(QWidget* widget) {
        QVERIFY(widget != nullptr && widget->isVisible());
        page().findChild<QScrollArea*>()->ensureWidgetVisible(widget);
        QTest::mouseClick(widget, Qt::LeftButton);
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_plurals.load(QStringLiteral(":/i18n/cairn_en.qm")));
        QVERIFY(QApplication::installTranslator(&m_plurals));
    }
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void targetsComeFirst() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        QVERIFY(page().targets()->isVisible());
        QVERIFY(target(Target::Serve).isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(deployment().outlook(), kTimeoutMs);
        QVERIFY(showsText(target(Target::Serve), QStringLiteral("loads")));
        QVERIFY(showsText(target(Target::OneFile), QStringLiteral("kB")));
        // llama.cpp does not know this tokenizer
        QVERIFY(showsText(target(Target::RunLocally), QStringLiteral("not possible")));
        QVERIFY(target(Target::RunLocally).toolTip().contains(QStringLiteral("llama.cpp")));
        picture(window(), QStringLiteral("deploy-serve"));
        picture(window(), QStringLiteral("deploy-serve-small"), {880, 560});

        click(&target(Target::OneFile));
        planned();
        QVERIFY(target(Target::OneFile).isChecked() && !target(Target::Serve).isChecked());
        QCOMPARE(deployment().planned()->plan.format, std::string("safetensors"));
        QCOMPARE(deployment().planned()->plan.output.extension().string(),
                 std::string(".safetensors"));
        QVERIFY(showsText(page(), QStringLiteral("Read by safetensors")));
        target(Target::RunLocally).setFocus();
        QTest::keyClick(&target(Target::RunLocally), Qt::Key_Return);
        planned();
        QCOMPARE(deployment().planned()->request.to, std::string("gguf"));
        QVERIFY(target(Target::RunLocally).isChecked());
        QVERIFY(!deployment().isRunnable());
        QTest::keyClick(&target(Target::Serve), Qt::Key_Space);
        planned();
        QVERIFY(deployment().planned()->request.bundle && deployment().isReady());
    }

    void aPrecisionChoosesItsFormAndSaysItsError() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        click(&target(Target::Serve)); // not automatic any more
        planned();
        deployment().change([](JobChoices& choices) { chooseDtype(choices, "q8_0"); });
        planned();
        QVERIFY(target(Target::RunLocally).isChecked());
        deployment().change([](JobChoices& choices) { chooseDtype(choices, "fp8"); });
        planned();
        QVERIFY(target(Target::Serve).isChecked());
        QVERIFY2(deployment().isRunnable(), qPrintable(deployment().forecastTip()));
        QTRY_VERIFY_WITH_TIMEOUT(deployment().outlook(), kTimeoutMs);
        QVERIFY(deployment().outlook()->relativeError.has_value());
        QTRY_VERIFY(showsText(page(), QStringLiteral("of the weights (sampled)")));
        picture(window(), QStringLiteral("deploy-fp8"));
    }

    void theVerdictNamesTheLoader() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        auto& checks = *page().findChild<ChecksCard*>(QStringLiteral("checks"));
        QVERIFY(showsText(checks, QStringLiteral("Loads with transformers LlamaForCausalLM, ")));
        QVERIFY(showsText(checks, QStringLiteral(" names")));
        QVERIFY(showsText(checks, QStringLiteral("Values not checked yet")));
        QVERIFY(showsText(checks, QStringLiteral("chat template")));
        QVERIFY(button(checks, QStringLiteral("Choose…")) != nullptr);
        click(button(checks, QStringLiteral("Check Values")));
        QTRY_VERIFY_WITH_TIMEOUT(showsText(page(), QStringLiteral("No NaN or Inf in ")),
                                 kTimeoutMs);
        QVERIFY(deployment().isReady());
    }

    void badValuesAreNotDeployedByOneClick() {
        const auto folder = m_fixture->experiment() / "hf-export";
        const auto file = folder / "model-00001-of-00003.safetensors";
        {
            std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
            bytes.seekp(-4, std::ios::end);
            bytes.write("\xff\xff\xff\xff", 4); // NaN in every floating-point dtype
        }
        QVERIFY(m_fixture->open("hf-export"));
        showPage();
        QVERIFY(deployment().isReady()); // nobody has looked
        click(button(page(), QStringLiteral("Check Values")));
        QTRY_VERIFY_WITH_TIMEOUT(deployment().values().fault() != nullptr, kTimeoutMs);
        QTRY_VERIFY(!deployment().isReady());
        QVERIFY(window().actions().consolidate->text().endsWith(QStringLiteral("…")));
        QVERIFY2(window().topBar()->forecast().contains(QStringLiteral("NaN")),
                 qPrintable(window().topBar()->forecast()));
        QCOMPARE(page().startButton()->text(), QStringLiteral("Deploy Anyway"));
        picture(window(), QStringLiteral("deploy-nan"));
        window().actions().consolidate->trigger(); // one click writes nothing
        QTest::qWait(200);
        QCOMPARE(m_fixture->services.jobs->snapshot().size(), std::size_t{0});
        run();
    }

    void badValuesOfABaseAreKnownBeforeItIsFolded() {
        const auto folder = m_fixture->experiment() / "lora-x";
        writeAdapter(folder, weightShape(), "hf-export");
        {
            std::fstream bytes(m_fixture->experiment() / "hf-export" /
                                   "model-00001-of-00003.safetensors",
                               std::ios::in | std::ios::out | std::ios::binary);
            bytes.seekp(-4, std::ios::end);
            bytes.write("\xff\xff\xff\xff", 4); // NaN in every floating-point dtype
        }
        QVERIFY(m_fixture->open("lora-x"));
        showPage();
        QVERIFY(adapterCard().fold()->isChecked() && deployment().isReady());
        QVERIFY(showsText(page(), QStringLiteral("Values of base and adapter not checked yet")));
        click(button(page(), QStringLiteral("Check Values")));
        QTRY_VERIFY_WITH_TIMEOUT(deployment().values().fault() != nullptr, kTimeoutMs);
        QVERIFY(!deployment().isReady());
        QCOMPARE(page().startButton()->text(), QStringLiteral("Deploy Anyway"));
        click(adapterCard().alone()); // the base is not read
        planned();
        QVERIFY(deployment().values().fault() == nullptr);
        QVERIFY(showsText(page(), QStringLiteral("Values not checked yet")));
    }

    void anAdapterIsFoldedIntoItsBase() {
        const auto folder = m_fixture->experiment() / "lora-x";
        writeAdapter(folder, weightShape(), "hf-export");
        QVERIFY(m_fixture->open("lora-x"));
        showPage();
        QVERIFY2(deployment().planned() != nullptr && deployment().isRunnable(),
                 qPrintable(deployment().forecastTip()));
        QVERIFY(adapterCard().isVisible());
        QVERIFY(showsText(adapterCard(), QStringLiteral("LoRA (r 1) for hf-export")));
        QVERIFY(adapterCard().fold()->isChecked());
        QCOMPARE(deployment().planned()->plan.source->path().filename().string(),
                 std::string("hf-export"));
        QCOMPARE(deployment().planned()->plan.adapters.size(), std::size_t{1});
        const std::filesystem::path output = deployment().planned()->plan.output;
        QVERIFY2(output.filename().string().find("hf-export-lora-x") != std::string::npos,
                 output.c_str());
        QVERIFY(deployment().command().contains(QStringLiteral("--adapter")));
        picture(window(), QStringLiteral("deploy-adapter"));
        picture(window(), QStringLiteral("deploy-adapter-small"), {880, 560});
        run();
        QVERIFY(std::filesystem::exists(output / "config.json"));
        QVERIFY(!std::filesystem::exists(output / "adapter_config.json"));
        QTRY_VERIFY(showsText(page(), QStringLiteral("with lora-x folded in")));

        click(adapterCard().alone());
        planned();
        QVERIFY(adapterCard().alone()->isChecked());
        QVERIFY(deployment().planned()->plan.adapters.empty());
        QVERIFY(showsText(page(), QStringLiteral("Loads with PEFT")));
        const std::filesystem::path alone = deployment().planned()->plan.output;
        run();
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(alone / "adapter_config.json"),
                                 kTimeoutMs);
        QVERIFY(std::filesystem::exists(alone / "adapter_model.safetensors"));
    }

    void aBaseIsChosenOrMissing() {
        const auto folder = m_fixture->experiment() / "lora-x";
        writeAdapter(folder, weightShape(), "nobody/knows");
        QVERIFY(m_fixture->open("lora-x"));
        showPage();
        QVERIFY(!adapterCard().fold()->isEnabled());
        QVERIFY(adapterCard().alone()->isChecked());
        QVERIFY2(deployment().isRunnable(), qPrintable(deployment().forecastTip()));
        adapterCard().setBase(m_fixture->experiment() / "hf-export");
        planned();
        QVERIFY(adapterCard().fold()->isChecked());
        QCOMPARE(deployment().planned()->plan.adapters.size(), std::size_t{1});
        adapterCard().setBase(m_fixture->experiment() / "tiny-gru-tf"); // of another model
        planned();
        QVERIFY(!deployment().isRunnable());
        QVERIFY(adapterCard().isVisible()); // to choose another one
    }

    void adaptersOfOtherModelsAreNotOffered() {
        const auto good = m_fixture->experiment() / "tiny-llama-a/lora-good";
        const auto foreign = m_fixture->experiment() / "tiny-llama-a/lora-foreign";
        writeAdapter(good, weightShape(), "org/base");
        writeAdapter(foreign, Shape{64, 64}, "org/other");
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        QTRY_VERIFY_WITH_TIMEOUT(page().adapters()->box(good) != nullptr, kTimeoutMs);
        QVERIFY(page().adapters()->box(foreign) == nullptr);
    }

    void oneProblemHasOnePlace() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-300")); // a shard is missing
        QTRY_VERIFY_WITH_TIMEOUT(deployment().planned() && !deployment().isPlanning(), kTimeoutMs);
        Button* details = button(*window().topBar(), QStringLiteral("Details"));
        QVERIFY(details != nullptr && details->isVisible());
        QTest::mouseClick(details, Qt::LeftButton);
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(&page()));
        const QString title = window().topBar()->forecast();
        int shown = 0;
        for (const QLabel* label : page().findChildren<QLabel*>()) {
            shown += label->isVisible() && label->text().contains(title) ? 1 : 0;
        }
        QCOMPARE(shown, 1);
        QVERIFY(button(page(), QStringLiteral("Show Shards")) != nullptr);
        QVERIFY(button(page(), QStringLiteral("Refresh")) != nullptr);
        picture(window(), QStringLiteral("deploy-problem"));
        m_fixture->choose("tiny-llama-a/step-400");
        QTRY_VERIFY_WITH_TIMEOUT(deployment().isReady(), kTimeoutMs);
        QVERIFY(!details->isVisible());
    }

    void resultsOfOthersAreNotOnThePage() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        run();
        const auto* result = findStrip(page(), kCompared);
        QVERIFY2(result->title().startsWith(QStringLiteral("tiny-llama-a, step-400 is ready")),
                 qPrintable(result->title()));
        m_fixture->choose("tiny-llama-a/step-200");
        QTRY_VERIFY_WITH_TIMEOUT(deployment().checkpoint() &&
                                     deployment().checkpoint()->path().filename() == "step-200" &&
                                     !deployment().isPlanning(),
                                 kTimeoutMs);
        const auto* view = page().findChild<JobView*>();
        QTRY_VERIFY(!view->isVisible());
        m_fixture->choose("tiny-llama-a/step-400");
        QTRY_VERIFY_WITH_TIMEOUT(view->isVisible(), kTimeoutMs);
    }

    void anOutputThatAppearsIsNoticed() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        const std::filesystem::path output = deployment().planned()->plan.output;
        std::filesystem::create_directories(output);
        QTRY_VERIFY_WITH_TIMEOUT(deployment().planned() &&
                                     deployment().planned()->plan.output.string() ==
                                         output.string() + "-2",
                                 kTimeoutMs);
        QVERIFY(deployment().isReady());
    }

    void aVanishedSourceIsNamed() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        const auto source = m_fixture->experiment() / "tiny-llama-a/step-400";
        std::filesystem::rename(source, m_fixture->folder() / "away");
        QTRY_VERIFY_WITH_TIMEOUT(deployment().planned() && !deployment().isPlanning() &&
                                     !deployment().isReady(),
                                 kTimeoutMs);
        QTRY_VERIFY(findStrip(page(), QStringLiteral("no longer exists")));
        const auto* strip = findStrip(page(), QStringLiteral("no longer exists"));
        QVERIFY2(strip->accessibleDescription().contains(QString::fromStdString(source.string())),
                 qPrintable(strip->accessibleDescription()));
        std::filesystem::rename(m_fixture->folder() / "away", source);
        QTRY_VERIFY_WITH_TIMEOUT(deployment().isReady(), kTimeoutMs);
    }

    void aRunIsDeployedByItsBestCheckpoint() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-200"));
        Navigator& navigator = *window().navigator();
        navigator.view()->setCurrentIndex(
            navigator.model()->findRun(m_fixture->experiment() / "tiny-llama-a"));
        QAction* action = window().actions().consolidate;
        QTRY_VERIFY2_WITH_TIMEOUT(action->text().contains(QStringLiteral("Best (step")) &&
                                      action->isEnabled(),
                                  qPrintable(action->text()), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(deployment().isReady(), kTimeoutMs);
        picture(window(), QStringLiteral("deploy-best"));
        action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page(), kCompared), kTimeoutMs);
        navigator.view()->setCurrentIndex(
            navigator.model()->find(m_fixture->experiment() / "tiny-llama-a/step-200"));
        QTRY_VERIFY_WITH_TIMEOUT(deployment().checkpoint() &&
                                     deployment().checkpoint()->path().filename() == "step-200",
                                 kTimeoutMs);
        QVERIFY(!action->text().contains(QStringLiteral("Best")));
    }

    void theResultSaysHowToServeIt() {
        window().resize(1440, 900); // with the column beside the page
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        const std::filesystem::path output = deployment().planned()->plan.output;
        run();
        click(button(*findStrip(page(), kCompared), QStringLiteral("Copy “vllm serve”")));
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("vllm serve ") + QString::fromStdString(output.string()));
        QWidget* side = page().sidePanel();
        QTRY_VERIFY(showsText(*side, QStringLiteral("vllm serve /")));
        QCOMPARE(side->findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 0);
        click(button(*side, QStringLiteral("Copy “Python”")));
        QVERIFY(
            QGuiApplication::clipboard()->text().contains(QString::fromStdString(output.string())));
        picture(window(), QStringLiteral("deploy-done"));
    }

    void progressHasSteps() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        const JobId id = m_fixture->services.jobs->submit("Consolidate run-a, step-1", endless);
        window().jobs().wake();
        QTRY_VERIFY_WITH_TIMEOUT(showsText(page(), QStringLiteral("✓ planned")), kTimeoutMs);
        QTRY_VERIFY(showsText(page(), QStringLiteral("● writing ")));
        QVERIFY(showsText(page(), QStringLiteral("○ verify")));
        QVERIFY(!showsText(page(), QStringLiteral("○ sign")));
        picture(window(), QStringLiteral("deploy-running"));
        m_fixture->services.jobs->cancel(id);
        QTRY_COMPARE_WITH_TIMEOUT(window().jobs().active(), 0, kTimeoutMs);
    }

    void nothingIsClippedInASmallWindow() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        showPage();
        for (const QSize size : {QSize(880, 560), QSize(1440, 900)}) {
            window().resize(size);
            QTest::qWait(80);
            const auto* scroll = page().findChild<QScrollArea*>();
            QTRY_COMPARE(scroll->horizontalScrollBar()->maximum(), 0);
            QTRY_COMPARE(clippedText(*scroll), QString());
        }
    }
};

QTEST_MAIN(DeployWorkflowTest)
#include "deploy_workflow_test.moc"
