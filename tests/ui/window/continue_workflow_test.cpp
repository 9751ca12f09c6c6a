// SPDX-License-Identifier: GPL-3.0-or-later
// A training state for another trainer, and a job as an array on a scheduler: what the page says,
// the command that it shows, and what that command writes.
#include "core/formats/format.h"
#include "core/jobs/cluster/submission_registry.h"
#include "core/plan/trainers.h"
#include "tests/ui/support/command_line.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/choice_button.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/continue_card.h"
#include "ui/pages/consolidate/deploy_plans.h"
#include "ui/pages/consolidate/more_options.h"
#include "ui/pages/consolidate/rank_grid.h"
#include "ui/pages/consolidate/resume_lines.h"
#include "ui/pages/consolidate/run_on_dialog.h"
#include "ui/pages/consolidate/target_cards.h"
#include "ui/pages/summary/abilities_card.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/array_list.h"
#include "ui/shell/jobs/job_popover.h"
#include "ui/text/plain_text.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QTimer>
#include <QTranslator>

#include <fstream>
#include <map>
#include <optional>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

/// Programs in PATH in place of a scheduler's.
class Programs {
public:
    explicit Programs(const std::filesystem::path& folder)
        : m_folder(folder / "bin"), m_before(qgetenv("PATH")) {
        std::filesystem::create_directories(m_folder);
        qputenv("PATH", QByteArray::fromStdString(m_folder.string()) + ':' + m_before);
    }
    ~Programs() { qputenv("PATH", m_before); }
    Programs(const Programs&) = delete;
    Programs& operator=(const Programs&) = delete;

    /// `script`: of a POSIX shell.
    void answers(const std::string& program, const std::string& script) const {
        const auto next = m_folder / (program + ".next");
        std::ofstream(next) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(next, std::filesystem::perms::owner_all);
        std::filesystem::rename(next, m_folder / program); // one may be running
    }
    std::string log() const { return (m_folder / "log").string(); }

private:
    std::filesystem::path m_folder;
    QByteArray m_before;
};

} // namespace

class ContinueWorkflowTest : public QObject {
    Q_OBJECT

    QTranslator m_plurals;
    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    ConsolidatePage& page() { return *window().pages().consolidate; }
    Deployment& deployment() { return window().deployment(); }
    ContinueCard& card() { return *page().continueCard(); }
    TargetButton& target(Target target) { return *page().targets()->button(target); }
    void planned() { QTRY_VERIFY_WITH_TIMEOUT(!deployment().isPlanning(), kTimeoutMs); }
    void click(QWidget* widget) {
        QVERIFY(widget != nullptr && widget->isVisible());
        page().findChild<QScrollArea*>()->ensureWidgetVisible(widget);
        QTest::mouseClick(widget, Qt::LeftButton, {}, {8, widget->height() / 2});
    }
    void continueFrom(const char* checkpoint) {
        window().resize(1440, 900); // with the right column
        QVERIFY(m_fixture->open(checkpoint));
        window().actions().showJobs->trigger();
        planned();
        click(&target(Target::Continue));
        planned();
    }
    void type(QLineEdit* edit, const QString& text) {
        edit->setFocus();
        QTest::keyClicks(edit, text);
    }
    RunOnDialog* openDialog() {
        window().actions().runOn->trigger();
        auto* dialog = window().findChild<RunOnDialog*>();
        return dialog != nullptr && waitUntil([dialog] { return dialog->isSettled(); }, kTimeoutMs)
                   ? dialog
                   : nullptr;
    }
    /// The words of a shown command, without those of the shell.
    static QStringList wordsOf(QString command) {
        command.replace(QStringLiteral(" \\\n"), QStringLiteral(" "));
        command.replace(QLatin1Char('\''), QLatin1Char('"')); // which splitCommand() knows
        QStringList words = QProcess::splitCommand(command);
        words.removeFirst(); // the program
        return words;
    }
    static QByteArray run(const QString& command, const QStringList& more = {}) {
        return outputOf(QStringLiteral(CAIRN_CLI_FOLDER "/cairn-cli"), wordsOf(command) + more);
    }
    /// Whatever the exit code; `expected`: else nothing.
    static QJsonObject document(const QStringList& words, std::optional<int> expected = {}) {
        QProcess process;
        process.start(QStringLiteral(CAIRN_CLI_FOLDER "/cairn-cli"),
                      words + QStringList{QStringLiteral("--json")});
        const bool ended = process.waitForFinished(kTimeoutMs);
        return ended && expected.value_or(process.exitCode()) == process.exitCode()
                   ? QJsonDocument::fromJson(process.readAllStandardOutput()).object()
                   : QJsonObject();
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_plurals.load(QStringLiteral(":/i18n/cairn_en.qm")));
        QVERIFY(QApplication::installTranslator(&m_plurals));
    }
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void theTargetSaysWhatAResumedTrainingGets() {
        continueFrom("tiny-llama-a/step-400");
        QVERIFY2(deployment().isReady(), qPrintable(deployment().forecastTip()));
        QVERIFY(target(Target::Continue).isChecked());
        QVERIFY(showsText(target(Target::Continue), QStringLiteral("resumes, new random numbers")));
        QVERIFY(target(Target::Continue).toolTip().contains(QStringLiteral("21 of 21")));
        QVERIFY(card().isVisible());
        QCOMPARE(card().trainer()->text(), QStringLiteral("FSDP2"));
        QVERIFY(showsText(card(), QStringLiteral("moments of 21 of 21 parameters")));
        QVERIFY(showsText(card(), QStringLiteral("1 parameter group · step 400")));
        QVERIFY(showsText(card(), QStringLiteral("was 4 ranks")));
        QVERIFY(showsText(card(), QStringLiteral("states of random generators")));
        QVERIFY(!page().findChild<MoreOptions*>()->isVisible());
        picture(window(), QStringLiteral("continue-training"));
        picture(window(), QStringLiteral("continue-training-small"), {880, 560});
        QTRY_VERIFY_WITH_TIMEOUT(deployment().outlook(), kTimeoutMs);
        click(&target(Target::Serve)); // and back
        planned();
        QVERIFY(!card().isVisible());
        QVERIFY(deployment().planned()->request.bundle);
        QTRY_VERIFY_WITH_TIMEOUT(showsText(target(Target::Continue), QStringLiteral("resumes")),
                                 kTimeoutMs);
    }

    void theShownCommandWritesTheSame() {
        continueFrom("tiny-llama-a/step-400");
        auto* ranks = card().ranks()->findChild<QSpinBox*>();
        ranks->setFocus();
        QTest::keyClick(ranks, Qt::Key_Up);
        planned();
        QVERIFY2(deployment().command().contains(QStringLiteral("--ranks 2")),
                 qPrintable(deployment().command()));
        click(card().mustResume());
        planned();
        const QString command = deployment().command();
        for (const char* part : {"cairn-cli convert ", "--for fsdp2", "--require resumable",
                                 "/tiny-llama-a/resume/tiny-llama-a-step-400-fsdp2"}) {
            QVERIFY2(command.contains(QLatin1String(part)), qPrintable(command));
        }
        for (const char* part : {"--only", "--to", "--bundle"}) {
            QVERIFY2(!command.contains(QLatin1String(part)), qPrintable(command));
        }
        const std::filesystem::path output = deployment().planned()->plan.output;
        const std::uint64_t bytes = deployment().planned()->plan.forecast.bytes;
        click(page().startButton());
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page(), QStringLiteral("every byte compared")),
                                 kTimeoutMs);
        std::uint64_t written = 0;
        const std::filesystem::path manifest = output / "MANIFEST.json";
        for (const auto& file : std::filesystem::recursive_directory_iterator(output)) {
            written += file.path() == manifest ? 0 : file.file_size();
        }
        QCOMPARE(written, bytes);
        const auto other = m_fixture->folder() / "other";
        QString same = command;
        same.replace(inText(output), inText(other));
        QVERIFY(!run(same).isEmpty());
        for (const auto& file : std::filesystem::directory_iterator(output)) {
            if (file.path() != manifest) {
                QFile left(inText(file.path()));
                QFile right(inText(other / file.path().filename()));
                QVERIFY(left.open(QFile::ReadOnly) && right.open(QFile::ReadOnly));
                QVERIFY2(left.readAll() == right.readAll(), file.path().c_str());
            }
        }
    }

    void theLinesThatResumeThereAreCopied() {
        continueFrom("tiny-llama-a/step-400");
        QWidget* side = page().sidePanel();
        QVERIFY(showsText(*side, QStringLiteral("Resume There")));
        QVERIFY(showsText(*side, QStringLiteral("set_state_dict(model, optimizer")));
        QVERIFY(choose(card().trainer(), QStringLiteral("Lightning")));
        planned();
        QVERIFY(showsText(target(Target::Continue), QStringLiteral("! resumes, not everything")));
        QVERIFY(showsText(card(), QStringLiteral("train_state")));
        QVERIFY(!deployment().isReady()); // the losses are looked at before
        const std::filesystem::path output = deployment().planned()->plan.output;
        QCOMPARE(output.extension().string(), std::string(".ckpt"));
        QVERIFY(!card().ranks()->isVisible());
        click(button(*side, QStringLiteral("Copy “Python”")));
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("trainer.fit(module, ckpt_path=\"%1\")\n").arg(inText(output)));
        picture(window(), QStringLiteral("continue-lightning"));
        QTRY_VERIFY_WITH_TIMEOUT(!deployment().offers().empty(), kTimeoutMs);
        for (const QAction* action : card().trainer()->menu()->actions()) {
            if (!action->isEnabled()) {
                continue;
            }
            QVERIFY(choose(card().trainer(), action->text()));
            planned();
            QVERIFY2(deployment().isRunnable(), qPrintable(action->text()));
            QVERIFY2(!resumeLines(deployment().planned()->request).isEmpty(),
                     qPrintable(action->text()));
        }
    }

    /// The trainers of the menu are those of `info --why`, the others cannot be chosen and have its
    /// reason; each is what a plan of the command line says: it stops, or what it writes for
    /// TensorFlow is not restored. `first`: chosen by the window.
    void onlyTrainersThatCanAreOffered_data() {
        QTest::addColumn<QString>("checkpoint");
        QTest::addColumn<QString>("first");
        QTest::addColumn<int>("offered");
        QTest::newRow("torch") << "tiny-llama-a/step-400"
                               << "FSDP2" << 9;
        QTest::newRow("jax") << "tiny-mlp-jax/200"
                             << "Orbax" << 2;
        QTest::newRow("tensorflow") << "tiny-gru-tf/ckpt-240"
                                    << "TensorFlow" << 1;
    }
    void onlyTrainersThatCanAreOffered() {
        QFETCH(const QString, checkpoint);
        QFETCH(const QString, first);
        QFETCH(const int, offered);
        continueFrom(checkpoint.toUtf8().constData());
        QTRY_VERIFY_WITH_TIMEOUT(!deployment().offers().empty(), kTimeoutMs);
        QVERIFY2(deployment().isRunnable(), qPrintable(deployment().forecastTip()));
        QCOMPARE(card().trainer()->text(), first);
        const QString source = inText(deployment().checkpoint()->path());
        const QJsonArray trainers = document({QStringLiteral("info"), source,
                                              QStringLiteral("--why")})[QStringLiteral("trainers")]
                                        .toArray();
        const QList<QAction*> actions = card().trainer()->menu()->actions();
        QCOMPARE(trainers.size(), actions.size());
        int can = 0;
        for (qsizetype i = 0; i < actions.size(); ++i) {
            const QJsonObject each = trainers[i].toObject();
            const QString id = each[QStringLiteral("trainer")].toString();
            QCOMPARE(actions[i]->text(), trainerTitle(id.toStdString()));
            QCOMPARE(actions[i]->isEnabled(), each[QStringLiteral("can")].toBool());
            const QString why = each[QStringLiteral("why")].toString();
            QVERIFY2(actions[i]->toolTip().contains(why.left(20).toHtmlEscaped()),
                     qPrintable(actions[i]->toolTip()));
            QVERIFY(actions[i]->isEnabled() || !why.isEmpty());
            can += actions[i]->isEnabled() ? 1 : 0;
            const QJsonObject plan = document(
                {QStringLiteral("plan"), QStringLiteral("convert"), source, QStringLiteral("--for"),
                 id, QStringLiteral("-o"), inText(m_fixture->folder() / "not-there")});
            bool stops = plan.contains(QStringLiteral("error"));
            for (const auto& problem : plan[QStringLiteral("problems")].toArray()) {
                stops = stops ||
                        problem.toObject()[QStringLiteral("severity")] == QStringLiteral("error");
            }
            if (id == QStringLiteral("tensorflow")) {
                const QJsonObject state = plan[QStringLiteral("training_state")].toObject();
                for (const auto& loss : state[QStringLiteral("lost")].toArray()) {
                    stops =
                        stops || loss.toObject()[QStringLiteral("id")] == QStringLiteral("unread");
                }
            }
            const bool isPlain =
                each[QStringLiteral("can")].toBool() && !each[QStringLiteral("force")].toBool();
            QVERIFY2(isPlain == !stops, qPrintable(id));
        }
        QCOMPARE(can, offered);
    }

    /// What is known of the trainers is not asked again, and they are not asked at all if only the
    /// place of the output is in the way.
    void trainersAreAskedOnce() {
        const std::filesystem::path taken = m_fixture->folder() / "taken";
        std::filesystem::create_directories(taken);
        const auto plan = [&](const char* checkpoint, const std::vector<TrainerOffer>& known) {
            const std::filesystem::path path = m_fixture->experiment() / checkpoint;
            const auto opened = openCheckpoint(path);
            JobChoices choices;
            choices.request.sources = {path};
            choices.request.output = taken;
            chooseTarget(choices, Target::Continue);
            return planFor(opened ? *opened : nullptr, choices, path.parent_path(), known, {});
        };
        const auto exists = plan("tiny-llama-a/step-400", {});
        QVERIFY(exists.has_value());
        QVERIFY(exists->outputExists && !exists->plan.runnable());
        QCOMPARE(exists->request.trainer, std::string("fsdp2"));
        QVERIFY(exists->offers.empty());
        const auto other = plan("tiny-mlp-jax/200", {{findTrainer("flax"), true, false, {}}});
        QVERIFY(other.has_value());
        QCOMPARE(other->request.trainer, std::string("flax")); // orbax would be the first
        QCOMPARE(other->offers.size(), std::size_t{1});
    }

    void aStateThatIsNotThereIsRefused() {
        continueFrom("hf-export"); // weights alone
        QVERIFY(!deployment().isRunnable());
        QVERIFY2(
            deployment().forecastTip().contains(QStringLiteral("no state of a torch optimizer")),
            qPrintable(deployment().forecastTip()));
        QVERIFY(!page().startButton()->isEnabled());
        picture(window(), QStringLiteral("continue-refused"));
    }

    void theSummarySaysWhatACheckpointCanDo() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        window().workspace()->showPage(window().pages().summary);
        AbilitiesPane& pane = *window().pages().summary->abilities();
        QTRY_VERIFY_WITH_TIMEOUT(pane.isVisible(), kTimeoutMs);
        QVERIFY(showsText(pane, QStringLiteral("yes, with new random numbers")));
        QVERIFY(showsText(pane, QStringLiteral("21 of 21 parameters")));
        picture(window(), QStringLiteral("summary-abilities"));
        picture(window(), QStringLiteral("summary-abilities-small"), {880, 560});
        QTest::mouseClick(button(pane, QStringLiteral("Continue Training…")), Qt::LeftButton);
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(&page()));
        planned();
        QVERIFY(target(Target::Continue).isChecked());

        m_fixture->choose("tiny-llama-a/step-300"); // a shard is missing
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
        window().workspace()->showPage(window().pages().summary);
        QTRY_VERIFY_WITH_TIMEOUT(!pane.isVisible(), kTimeoutMs);
    }

    void anArrayShowsItsCommandAndScript() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        window().actions().showJobs->trigger();
        planned();
        click(button(page(), QStringLiteral("Run On…")));
        auto* dialog = window().findChild<RunOnDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled(), kTimeoutMs);
        QVERIFY(dialog->submitButton()->isEnabled());
        dialog->parts()->setFocus();
        QTest::keyClick(dialog->parts(), Qt::Key_Up);
        type(dialog->options(), QStringLiteral("--partition=gpu"));
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled(), kTimeoutMs);
        QVERIFY2(dialog->command().contains(QStringLiteral("submit slurm consolidate ")) &&
                     dialog->command().contains(QStringLiteral("--parts 2")) &&
                     dialog->command().endsWith(QStringLiteral("-- --partition=gpu")),
                 qPrintable(dialog->command()));
        QVERIFY(showsText(*dialog, QStringLiteral("2 tasks")));
        QVERIFY(dialog->script().contains(QStringLiteral("#SBATCH --array=1-2")));
        QVERIFY(dialog->script().contains(QStringLiteral("cairn-cli")));
        picture(*dialog, QStringLiteral("run-on-slurm"), {760, 640});
        // the command line makes the same script
        QString command = dialog->command();
        command.replace(QStringLiteral("-- --partition"),
                        QStringLiteral("--dry-run --json -- --partition"));
        const QJsonObject json = QJsonDocument::fromJson(run(command)).object();
        const QString script = json[QStringLiteral("script")].toString();
        QVERIFY(!script.isEmpty());
        QVERIFY2(dialog->script().contains(script), qPrintable(script));
        QCOMPARE(m_fixture->services.jobs->snapshot().size(), std::size_t{0});
        QTest::mouseClick(button(*dialog, QStringLiteral("Copy Script")), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), dialog->script());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(window().findChild<RunOnDialog*>() == nullptr);
    }

    void aManifestNeedsAnImageAndAVolume() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        planned();
        RunOnDialog* dialog = openDialog();
        QVERIFY(dialog != nullptr);
        QVERIFY(!dialog->image()->isVisible());
        QVERIFY(choose(dialog->scheduler(), QStringLiteral("Kubernetes")));
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled(), kTimeoutMs);
        QVERIFY(dialog->image()->isVisible());
        QVERIFY(!dialog->submitButton()->isEnabled());
        QVERIFY(dialog->findChild<MessageStrip*>()->isVisible());
        type(dialog->image(), QStringLiteral("registry/cairn@sha256:") + QString(64, u'a'));
        type(dialog->volumes(), QStringLiteral("data=") + inText(m_fixture->folder()));
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled() && dialog->submitButton()->isEnabled(),
                                 kTimeoutMs);
        QVERIFY(dialog->script().contains(QStringLiteral("completionMode")));
        QVERIFY(!dialog->findChild<MessageStrip*>()->isVisible());
        picture(*dialog, QStringLiteral("run-on-kubernetes"), {760, 640});
        QString command = dialog->command() + QStringLiteral(" --dry-run");
        QVERIFY2(dialog->script().contains(QString::fromUtf8(run(command)).trimmed()),
                 qPrintable(command));
    }

    void aSubmittedArrayIsNamed() {
        const Programs commands(m_fixture->folder());
        const std::filesystem::path log = commands.log();
        commands.answers("sbatch", "cat >> '" + log.string() + "'\necho 4711");
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        planned();
        RunOnDialog* dialog = openDialog();
        QVERIFY(dialog != nullptr && !std::filesystem::exists(log)); // a dry run
        QTest::mouseClick(dialog->submitButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(*dialog, QStringLiteral("Submitted as 4711")),
                                 kTimeoutMs);
        QVERIFY(std::filesystem::file_size(log) > 0);
        QVERIFY(press(*dialog, QStringLiteral("Copy Command")));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("cairn-cli job status 4711"));
        picture(*dialog, QStringLiteral("run-on-submitted"), {760, 640});
    }

    void everyCheckpointOfTheRunIsASource() {
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        planned();
        RunOnDialog* dialog = openDialog();
        QVERIFY(dialog != nullptr && dialog->each()->isVisible());
        QTest::mouseClick(dialog->each(), Qt::LeftButton, {}, {8, dialog->each()->height() / 2});
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled() && dialog->submitButton()->isEnabled(),
                                 kTimeoutMs);
        const QString command = dialog->command();
        QVERIFY2(command.contains(QStringLiteral("--each-checkpoint ")) &&
                     command.contains(QStringLiteral("/deploy/tiny-llama-a-{name}")) &&
                     !command.contains(QStringLiteral("step-400")),
                 qPrintable(command));
        QVERIFY(showsText(*dialog, QStringLiteral("3 tasks")));
        QVERIFY(showsText(*dialog, QStringLiteral("without step-300: "))); // a shard is missing
        picture(*dialog, QStringLiteral("run-on-each"), {760, 640});
        const QJsonObject json =
            document(wordsOf(command) + QStringList{QStringLiteral("--dry-run")});
        QVERIFY(!json.isEmpty());
        QCOMPARE(json[QStringLiteral("tasks")].toInt(), 3);
        QCOMPARE(json[QStringLiteral("skipped")].toArray().size(), 1);
        const QString script = json[QStringLiteral("script")].toString();
        QVERIFY2(!script.isEmpty() && dialog->script().contains(script), qPrintable(script));
        QTest::mouseClick(dialog->each(), Qt::LeftButton, {}, {8, dialog->each()->height() / 2});
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled(), kTimeoutMs);
        QVERIFY(!dialog->command().contains(QStringLiteral("--each-checkpoint")));
    }

    /// One that the scheduler could not be asked about is asked again, and one that has ended only
    /// when the list is opened.
    void arraysThatWaitOrRunAreAskedAgain() {
        const Programs commands(m_fixture->folder());
        const std::filesystem::path log = commands.log();
        const std::string note = "echo \"$*\" >> '" + log.string() + "'\n";
        commands.answers("sacct", "exit 1");
        commands.answers("squeue", note + "case \"$*\" in *=4711*) printf "
                                          "'4711_1|RUNNING|None\\n';; *=4712*) printf "
                                          "'4712_1|FAILED|NonZeroExitCode\\n';; esac");
        for (const char* id : {"4711", "4712"}) {
            Submission submission;
            submission.id = id;
            submission.job.items.push_back(
                {{"consolidate", "/nowhere"}, "digest", m_fixture->folder() / id});
            QVERIFY(SubmissionRegistry().add(*m_fixture->services.fileOps, submission));
        }
        const auto asked = [&log](const std::string& id) {
            std::ifstream lines(log);
            int count = 0;
            for (std::string line; std::getline(lines, line);) {
                count += line.find("=" + id) != std::string::npos ? 1 : 0;
            }
            return count;
        };
        ArrayList list;
        list.findChild<QTimer*>()->setInterval(1);
        list.read();
        QTRY_VERIFY_WITH_TIMEOUT(asked("4711") > 2, kTimeoutMs);
        QCOMPARE(asked("4712"), 1);
        QVERIFY(showsText(list, QStringLiteral("1 running")));
        QVERIFY(showsText(list, QStringLiteral("1 failed"))); // still known
        commands.answers("squeue", "exit 1");
        QTRY_VERIFY_WITH_TIMEOUT(!showsText(list, QStringLiteral("1 running")), kTimeoutMs);
        commands.answers("squeue", note + "printf '4711_1|PENDING|Priority\\n'");
        QTRY_VERIFY_WITH_TIMEOUT(showsText(list, QStringLiteral("1 waiting")), kTimeoutMs);
        QCOMPARE(asked("4712"), 1);
        list.read(); // as the opened list does
        QTRY_COMPARE_WITH_TIMEOUT(asked("4712"), 2, kTimeoutMs);
    }

    /// What the list of jobs says of an array is what `job status` says.
    void theListOfJobsHasTheStateOfTheArray() {
        const Programs commands(m_fixture->folder());
        commands.answers("sbatch", "cat >/dev/null; echo " + std::string("$((4711 + $(cat '") +
                                       commands.log() + ".n' 2>/dev/null || echo 0)))" +
                                       "; echo 1 > '" + commands.log() + ".n'");
        commands.answers("squeue", "case \"$*\" in *4711*) printf '4711_1|RUNNING|None\\n"
                                   "4711_2|PENDING|Resources\\n4711_3|FAILED|NonZeroExitCode\\n';;"
                                   "esac");
        commands.answers("sacct", "exit 1");
        commands.answers("scancel", "echo \"$@\" >> '" + commands.log() + "'");
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        planned();
        RunOnDialog* dialog = openDialog();
        QVERIFY(dialog != nullptr);
        dialog->parts()->setValue(3);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled() && dialog->submitButton()->isEnabled(),
                                 kTimeoutMs);
        QTest::mouseClick(dialog->submitButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(*dialog, QStringLiteral("Submitted as 4711")),
                                 kTimeoutMs);
        QVERIFY(press(*dialog, QStringLiteral("Show Status")));
        JobPopover& list = *window().jobPopover();
        QTRY_VERIFY_WITH_TIMEOUT(list.isVisible() && list.isSettled(), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(showsText(list, QStringLiteral("Slurm 4711")), kTimeoutMs);
        const QJsonObject json =
            document({QStringLiteral("job"), QStringLiteral("status"), QStringLiteral("4711")}, 1);
        std::map<QString, int> states;
        qint64 bytes = 0;
        for (const auto& part : json[QStringLiteral("parts")].toArray()) {
            ++states[part.toObject()[QStringLiteral("state")].toString()];
            bytes += part.toObject()[QStringLiteral("bytes")].toInteger();
        }
        QCOMPARE(states.size(), std::size_t{3});
        for (const auto& [state, count] : states) {
            QVERIFY2(showsText(list, QStringLiteral("%1 %2").arg(count).arg(state)),
                     qPrintable(state));
        }
        QVERIFY(showsText(list, QStringLiteral("0 of 3 tasks done")));
        QVERIFY(showsText(list,
                          QStringLiteral("of ") + text::bytes(static_cast<std::uint64_t>(bytes))));
        QVERIFY(showsText(list, QStringLiteral("0 of 1 output published")));
        QVERIFY(showsText(list, QStringLiteral("task 3: FAILED")));
        QVERIFY(clippedText(list).isEmpty());
        picture(list, QStringLiteral("job-arrays"), list.size());
        QVERIFY(press(list, QStringLiteral("Copy Command")));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("cairn-cli job status 4711"));
        commands.answers("squeue", "printf '4711_[1-3]|CANCELLED|None\\n'");
        QVERIFY(press(list, QStringLiteral("Cancel Array")));
        QTRY_VERIFY_WITH_TIMEOUT(showsText(list, QStringLiteral("3 cancelled")), kTimeoutMs);
        QVERIFY(button(list, QStringLiteral("Cancel Array")) == nullptr);
        QVERIFY(std::filesystem::file_size(commands.log()) > 0);
    }
};

QTEST_MAIN(ContinueWorkflowTest)
#include "continue_workflow_test.moc"
