// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of job once through the window; the command that is copied makes the same plan.
#include "core/formats/format.h"
#include "core/jobs/engine/journal.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/job_view.h"
#include "ui/pages/consolidate/more_options.h"
#include "ui/pages/consolidate/strip_roles.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/widgets/check_box.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QThread>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

/// The plan's digest from the command in the clipboard, run in a shell.
QString digestFromShell(QString command) {
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QStringLiteral(CAIRN_CLI_FOLDER) + QLatin1Char(':') +
                                                   environment.value(QStringLiteral("PATH")));
    shell.setProcessEnvironment(environment);
    command.replace(QRegularExpression(QStringLiteral("^cairn-cli ")),
                    QStringLiteral("cairn-cli plan "));
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command + QStringLiteral(" --json")});
    shell.waitForFinished(kTimeoutMs);
    const QJsonObject plan = QJsonDocument::fromJson(shell.readAllStandardOutput()).object();
    return plan.value(QStringLiteral("digest")).toString();
}

/// A job that runs until it is stopped.
Result<void> endless(JobContext& context) {
    context.setTotal(1'000'000'000);
    context.setPhase(JobPhase::Writing);
    context.log("The file system cannot reserve space");
    while (true) {
        CAIRN_CHECK(context.proceed());
        context.addRead(3'000'000);
        context.addWritten(2'500'000);
        QThread::msleep(20);
    }
}

QWidget* named(const QWidget& parent, const QString& name) {
    for (QWidget* found : parent.findChildren<QWidget*>()) {
        if (found->accessibleName() == name) {
            return found;
        }
    }
    return nullptr;
}

} // namespace

class JobWorkflowTest : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    ConsolidatePage& page() { return *window().pages().consolidate; }
    Deployment& deployment() { return window().deployment(); }
    const CopyPlan& plan() { return deployment().planned()->plan; }

    void planned() {
        QTest::qWait(450); // the typed text has been processed
        QTRY_VERIFY_WITH_TIMEOUT(!deployment().isPlanning(), kTimeoutMs);
        QVERIFY2(deployment().planned() != nullptr,
                 deployment().planError() ? deployment().planError()->message.text().c_str() : "");
    }

    void roundTrips() {
        window().actions().copyCommand->trigger();
        const QString command = QGuiApplication::clipboard()->text();
        QCOMPARE(digestFromShell(command), QString::fromStdString(deployment().planned()->digest));
    }

    /// Starts the planned job and opens its output.
    void writtenAs(const char* format, const QString& name) {
        QVERIFY(deployment().isRunnable());
        roundTrips();
        picture(window(), name);
        const std::filesystem::path output = plan().output;
        page().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        QTRY_VERIFY(findStrip(page(), QStringLiteral("every byte compared")));
        picture(window(), name + QStringLiteral("-done"));
        const auto written = openCheckpoint(output);
        QVERIFY(written);
        QCOMPARE(std::string((*written)->format()), std::string(format));
        m_written = *written;
    }
    CheckpointPtr m_written;

private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        window().actions().showJobs->trigger();
        planned();
    }
    void cleanup() {
        m_written.reset();
        m_fixture.reset();
    }

    void theBundleIsOneClick() {
        QVERIFY(button(page(), QStringLiteral("More Options"))->isVisible());
        QVERIFY(!page().findChild<MoreOptions*>()->isVisible()); // the other options are hidden
        writtenAs("huggingface", QStringLiteral("job-bundle"));
    }

    void consolidatesToOneFile() {
        choose(button(page(), QStringLiteral("Hugging Face folder")), QStringLiteral("PyTorch"));
        planned();
        writtenAs("torch", QStringLiteral("job-consolidate"));
    }

    void reshardsToAGridOfRanks() {
        choose(button(page(), QStringLiteral("Hugging Face folder")),
               QStringLiteral("PyTorch Distributed Checkpoint"));
        planned();
        auto& more = *page().findChild<MoreOptions*>();
        QVERIFY(more.isVisible()); // ranks matter now
        static_cast<QSpinBox*>(named(more, QStringLiteral("Ranks")))->setValue(4);
        static_cast<QSpinBox*>(named(more, QStringLiteral("Ranks of the second axis")))
            ->setValue(2);
        planned();
        QVERIFY(deployment().command().contains(QStringLiteral("--grid 4x2")));
        QVERIFY(button(page(), QStringLiteral("8 ranks")));
        QCOMPARE(window().actions().consolidate->text().remove(QLatin1Char('&')),
                 QStringLiteral("Reshard")); // what the click would do
        picture(window(), QStringLiteral("job-reshard-small"), {800, 600});
        writtenAs("dcp", QStringLiteral("job-reshard"));
    }

    void casts() {
        choose(button(page(), QStringLiteral("Hugging Face folder")),
               QStringLiteral("Safetensors"));
        QVERIFY(press(page(), QStringLiteral("More Options")));
        auto& more = *page().findChild<MoreOptions*>();
        QVERIFY(choose(static_cast<Button*>(named(page(), QStringLiteral("Dtype in the output"))),
                       QStringLiteral("float16")));
        QTest::keyClicks(named(more, QStringLiteral("Tensors that are float32 in the output")),
                         QStringLiteral("lm_head.*; *embed*"));
        planned();
        QVERIFY(deployment().planned()->castTensors > 0);
        QVERIFY(press(page(), QStringLiteral("Show All")));        // the passed checks
        QTRY_VERIFY(showsText(page(), QStringLiteral("float16"))); // the decision is shown
        writtenAs("safetensors", QStringLiteral("job-cast"));
        QVERIFY(showsText(page(), QStringLiteral("largest error")));
    }

    void renames() {
        choose(button(page(), QStringLiteral("Hugging Face folder")),
               QStringLiteral("Safetensors"));
        QVERIFY(press(page(), QStringLiteral("More Options")));
        auto& more = *page().findChild<MoreOptions*>();
        auto* names = static_cast<Button*>(named(more, QStringLiteral("Names in the output")));
        QVERIFY(choose(names, QStringLiteral("without wrapper prefixes and model.")));
        planned();
        QVERIFY(deployment().command().contains(QStringLiteral("--rename strip-prefixes")));
        QVERIFY(choose(names, QStringLiteral("custom rules…")));
        auto* rules = static_cast<QLineEdit*>(named(more, QStringLiteral("Rename rules")));
        QVERIFY(rules->isVisible());
        rules->setText(QStringLiteral("^(.*)layers\\.(\\d+)=$1h.$2; it's=x"));
        planned();
        writtenAs("safetensors", QStringLiteral("job-rename"));
        QVERIFY(std::any_of(m_written->tensors().begin(), m_written->tensors().end(),
                            [](const TensorEntry& tensor) {
                                return tensor.name.find("h.0.") != std::string::npos;
                            }));
        rules->setText(QStringLiteral("("));
        QTRY_VERIFY_WITH_TIMEOUT(deployment().planError(), kTimeoutMs);
        QVERIFY(!page().startButton()->isEnabled());
        picture(window(), QStringLiteral("job-rename-refused"));
    }

    void leavesRolesOut() {
        choose(button(page(), QStringLiteral("Hugging Face folder")), QStringLiteral("PyTorch"));
        planned();
        QVERIFY(press(page(), QStringLiteral("More Options")));
        auto& roles = *page().findChild<StripRoles*>();
        const auto box = [&roles](const char* role) -> CheckBox* {
            for (CheckBox* each : roles.findChildren<CheckBox*>()) {
                if (!each->isHidden() && each->text().startsWith(QLatin1String(role))) {
                    return each;
                }
            }
            return nullptr;
        };
        QTRY_VERIFY(box("optimizer") != nullptr);
        QVERIFY(box("EMA") == nullptr); // there is no EMA
        QVERIFY(box("optimizer")->text().contains(QStringLiteral("tensor")));
        // Weights only: it is not included anyway, without an option.
        QVERIFY(box("optimizer")->isChecked() && !box("optimizer")->isEnabled());
        QVERIFY(box("weights")->isEnabled() && !box("weights")->isChecked());
        QVERIFY(!deployment().command().contains(QStringLiteral("--strip")));

        choose(button(page(), QStringLiteral("Weights only")), QStringLiteral("Everything"));
        planned();
        QVERIFY(box("optimizer")->isEnabled() && !box("optimizer")->isChecked());
        const std::uint64_t whole = plan().forecast.bytes;
        const std::uint64_t tensors = deployment().planned()->tensors;
        box("optimizer")->click();
        QVERIFY(deployment().isPlanning()); // at once
        planned();
        QVERIFY(plan().forecast.bytes < whole && deployment().planned()->tensors < tensors);
        QVERIFY(deployment().command().contains(QStringLiteral("--strip optimizer")));
        QVERIFY(button(page(), QStringLiteral("Everything but optimizer")) != nullptr);
        QVERIFY(showsText(page(), QStringLiteral("without optimizer")));
        writtenAs("torch", QStringLiteral("job-strip"));
        QVERIFY(std::ranges::none_of(m_written->tensors(), [](const TensorEntry& tensor) {
            return tensor.role == Role::Optimizer;
        }));
        MessageStrip* strip = findStrip(page(), QStringLiteral("every byte compared"));
        QVERIFY(choose(button(*strip, QStringLiteral("More")), QStringLiteral("Run Again")));
        std::filesystem::path second = m_written->path();
        second.replace_filename(second.stem().string() + "-2.pt");
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(second) && window().jobs().active() == 0,
                                 kTimeoutMs);
        const auto again = openCheckpoint(second);
        QVERIFY(again);
        QCOMPARE((*again)->tensors().size(), m_written->tensors().size());

        box("optimizer")->click();
        planned();
        QCOMPARE(plan().forecast.bytes, whole);
    }

    void writesOneFilePerLayer() {
        choose(button(page(), QStringLiteral("One file")), QStringLiteral("One file per layer"));
        planned();
        QVERIFY(plan().forecast.files > 2);
        writtenAs("huggingface", QStringLiteral("job-layers"));
    }

    void writesNpz() {
        choose(button(page(), QStringLiteral("Hugging Face folder")),
               QStringLiteral("NumPy archive"));
        planned();
        if (!deployment().isRunnable()) { // no bfloat16 in this format: the alternative is offered
            picture(window(), QStringLiteral("job-npz-refused"));
            QVERIFY(!page().startButton()->isEnabled());
            QVERIFY(press(page(), QStringLiteral("Cast to float32")));
            planned();
        }
        writtenAs("npz", QStringLiteral("job-npz"));
    }

    void averages() {
        Navigator& navigator = *window().navigator();
        for (const char* name : {"tiny-llama-a/step-100", "tiny-llama-a/step-200"}) {
            navigator.view()->selectionModel()->select(
                navigator.model()->find(m_fixture->experiment() / name),
                QItemSelectionModel::Select);
        }
        QCOMPARE(navigator.selectedCheckpoints().size(), std::size_t{3});
        QAction* average = window().actions().average;
        QVERIFY(average->isEnabled());
        QVERIFY(average->text().contains(QStringLiteral("3")));
        average->trigger();
        planned();
        QVERIFY(showsText(page(), QStringLiteral("step-200")));
        QCOMPARE(page().startButton()->text(), QStringLiteral("Average"));
        QVERIFY(deployment().command().startsWith(QStringLiteral("cairn-cli average ")));
        QVERIFY(!deployment().command().contains(QStringLiteral("--weights")));
        deployment().change([](JobChoices& choices) { chooseText(choices, "weights", "1,2"); });
        QTRY_VERIFY(deployment().planError().has_value()); // one is missing
        deployment().change([](JobChoices& choices) { chooseText(choices, "weights", "1, 1, 2"); });
        planned();
        QVERIFY(showsText(page(), QStringLiteral("weights 1, 1, 2")));
        QVERIFY(deployment().command().contains(QStringLiteral("--weights 1,1,2")));
        writtenAs("huggingface", QStringLiteral("job-average"));
        QVERIFY(press(page(), QStringLiteral("Use Only the Current Checkpoint")));
        planned();
        QCOMPARE(page().startButton()->text(), QStringLiteral("Deploy Again"));
    }

    void aDamagedCheckpointIsRefused() {
        m_fixture->choose("tiny-llama-a/step-300");
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && deployment().planned() &&
                                     !deployment().isRunnable(),
                                 kTimeoutMs);
        QVERIFY(!page().startButton()->isEnabled());
        QTRY_VERIFY(findStrip(page(), QStringLiteral("__2_0.distcp")));
        picture(window(), QStringLiteral("job-refused"));
    }

    void nothingIsClippedInTheSmallestWindow() {
        window().resize(window().minimumSize());
        choose(button(page(), QStringLiteral("Hugging Face folder")),
               QStringLiteral("PyTorch Distributed Checkpoint"));
        planned(); // with all options visible
        page().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        QTRY_VERIFY(findStrip(page(), QStringLiteral("every byte compared")));
        const auto* scroll = page().findChild<QScrollArea*>();
        QTRY_COMPARE(scroll->horizontalScrollBar()->maximum(), 0);
        QTRY_COMPARE(clippedText(*scroll), QString());
        for (QScrollArea* each : page().findChildren<QScrollArea*>()) {
            each->verticalScrollBar()->setValue(each->verticalScrollBar()->maximum());
        }
        picture(window(), QStringLiteral("job-smallest-window"), window().minimumSize());
    }

    void queueCanBeReorderedPausedAndStopped() {
        JobQueue& queue = *m_fixture->services.jobs;
        const JobId running = queue.submit("Consolidate run-a, step-1", endless);
        const JobId first = queue.submit("Consolidate run-a, step-2", endless);
        const JobId second = queue.submit("Consolidate run-a, step-3", endless);
        window().jobs().wake();
        QTRY_VERIFY_WITH_TIMEOUT(queue.snapshot(running)->progress.written > 0, kTimeoutMs);
        const auto view = [&](JobId id) {
            for (JobView* each : page().findChildren<JobView*>()) {
                if (each->id() == id) {
                    return each;
                }
            }
            return static_cast<JobView*>(nullptr);
        };
        QTRY_VERIFY_WITH_TIMEOUT(view(running) && view(first) && view(second), kTimeoutMs);
        QTRY_VERIFY(button(*view(running), QStringLiteral("Move Up")) == nullptr);
        QVERIFY(!button(*view(first), QStringLiteral("Move Up"))->isEnabled());
        QVERIFY(press(*view(second), QStringLiteral("Move Up")));
        QCOMPARE(queue.snapshot().at(1).id, second);
        QTRY_VERIFY(view(second)->y() < view(first)->y());
        QTRY_VERIFY(view(running)->y() < view(second)->y());

        QVERIFY(choose(button(*view(running), QStringLiteral("More")), QStringLiteral("Show Log")));
        auto* log = view(running)->findChild<QPlainTextEdit*>();
        QTRY_VERIFY(log->isVisible() && log->toPlainText().contains(QStringLiteral("reserve")));
        QVERIFY(press(*view(second), QStringLiteral("Pause")));
        QVERIFY(showsText(*view(second), QStringLiteral("paused")));
        QTRY_VERIFY_WITH_TIMEOUT(showsText(*view(running), QStringLiteral("left")), kTimeoutMs);
        window().pages().consolidate->scrollToJobs();
        picture(window(), QStringLiteral("job-queue"));

        QVERIFY(press(*view(running), QStringLiteral("Cancel")));
        QTRY_VERIFY(queue.snapshot(running)->state == JobState::Stopped);
        QTRY_VERIFY(queue.snapshot(first)->state == JobState::Running); // the held one waits
        QCOMPARE(queue.snapshot(second)->state, JobState::Queued);
        window().actions().stopJobs->trigger();
        QTRY_VERIFY(window().jobs().active() == 0);
    }

    void runAgainUsesTheNextName() {
        const std::filesystem::path output = plan().output;
        page().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(window().jobs().active() == 0 && window().isSettled(), kTimeoutMs);
        MessageStrip* strip = findStrip(page(), QStringLiteral("every byte compared"));
        QVERIFY(strip != nullptr);
        QVERIFY(choose(button(*strip, QStringLiteral("More")), QStringLiteral("Run Again")));
        const std::filesystem::path second = output.string() + "-2";
        QTRY_VERIFY_WITH_TIMEOUT(std::filesystem::exists(second / "MANIFEST.json"), kTimeoutMs);
        QTRY_VERIFY(window().jobs().active() == 0);
    }

    void aLongHiddenJobSendsANotification() {
        QStringList notified;
        window().jobNotices().notify = [&notified](const QString& title, const QString& body) {
            notified << title + QLatin1Char('|') + body;
        };
        const auto quick = [](JobContext&) -> Result<void> {
            QThread::msleep(60);
            return {};
        };
        JobQueue& queue = *m_fixture->services.jobs;
        queue.submit("Short", quick);
        window().jobs().wake();
        QTRY_VERIFY(window().jobs().active() == 0);
        QVERIFY(notified.isEmpty());
        window().jobNotices().notifyAfterSeconds = 0.01;
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        queue.submit("Seen", quick);
        window().jobs().wake();
        QTRY_VERIFY(window().jobs().active() == 0);
        QVERIFY(notified.isEmpty());
        QWidget other; // takes the focus
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other));
        queue.submit("Long", quick);
        window().jobs().wake();
        QTRY_COMPARE(notified.size(), 1);
        QVERIFY(notified.front().startsWith(QStringLiteral("Long|Finished")));
    }
};

QTEST_MAIN(JobWorkflowTest)
#include "job_workflow_test.moc"
