// SPDX-License-Identifier: GPL-3.0-or-later
// A job as its user follows it: the card at the top, the result and its buttons, the chip in the
// toolbar, the history; through mouse and keys.
#include "core/formats/format.h"
#include "core/jobs/queue/job_registry.h"
#include "core/jobs/record/manifest.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/job_pages.h"
#include "ui/pages/consolidate/checks_card.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/job_view.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/shell/frame/forecast_label.h"
#include "ui/shell/frame/job_chip.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/job_popover.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
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

void click(QWidget* widget) {
    QVERIFY(widget != nullptr && widget->isVisible() && widget->isEnabled());
    QTest::mouseClick(widget, Qt::LeftButton);
}

/// The whole widget is inside the viewport, so that nobody has to scroll.
bool isInSight(const QScrollArea& scroll, const QWidget& widget) {
    const QRect place(widget.mapTo(scroll.viewport(), QPoint()), widget.size());
    return widget.isVisible() && scroll.viewport()->rect().contains(place);
}

} // namespace

class JobResultsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_data;
    QTranslator m_plurals;
    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    ConsolidatePage& page() { return *window().pages().consolidate; }
    JobQueue& queue() { return *m_fixture->services.jobs; }
    JobPopover& popover() { return *window().jobPopover(); }
    QScrollArea& scroll() { return *page().findChild<QScrollArea*>(); }
    Button* toolbarButton() {
        return button(*window().topBar(), QStringLiteral("Consolidate for Deployment"));
    }
    JobView* newest() {
        JobView* newest = nullptr;
        for (JobView* view : page().findChildren<JobView*>()) {
            newest = newest == nullptr || view->id() > newest->id() ? view : newest;
        }
        return newest;
    }
    bool isReady() {
        return waitUntil([this] { return window().isSettled() && window().deployment().isReady(); },
                         kTimeoutMs);
    }
    /// One click on the toolbar's button, until the result is there; returns the output.
    std::filesystem::path consolidate() {
        if (!isReady()) {
            return {};
        }
        std::filesystem::path output = window().deployment().planned()->plan.output;
        QTest::mouseClick(toolbarButton(), Qt::LeftButton);
        const bool done = waitUntil(
            [this] {
                return window().jobs().active() == 0 && window().isSettled() &&
                       findStrip(page(), kCompared) != nullptr;
            },
            kTimeoutMs);
        return done ? output : std::filesystem::path();
    }

private Q_SLOTS:
    void initTestCase() { // "1 job", not "1 jobs"
        QVERIFY(m_plurals.load(QStringLiteral(":/i18n/cairn_en.qm")));
        QVERIFY(QApplication::installTranslator(&m_plurals));
    }
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        qputenv("XDG_DATA_HOME", (m_data.path() + QStringLiteral("/share")).toLocal8Bit());
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        QVERIFY(isReady());
    }
    void cleanup() { m_fixture.reset(); }

    void theCardStandsAtTheTop() {
        window().resize(880, 560);
        QVERIFY(consolidate() != std::filesystem::path());
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(&page()));
        QTRY_VERIFY(isInSight(scroll(), *newest())); // the strip with its buttons too
        QCOMPARE(scroll().horizontalScrollBar()->maximum(), 0);
        // Also when the page was scrolled, and another job is running.
        queue().submit("Consolidate run-a, step-1", endless);
        window().jobs().wake();
        scroll().verticalScrollBar()->setValue(scroll().verticalScrollBar()->maximum());
        QVERIFY(isReady());
        click(toolbarButton());
        QTRY_VERIFY(!newest()->hasEnded() && isInSight(scroll(), *newest()));
        picture(window(), QStringLiteral("job-queued-small"), {880, 560});
        // And when the card before it grows, as that of a job does which starts to run.
        JobView* first = page().findChildren<JobView*>().front();
        for (JobView* each : page().findChildren<JobView*>()) {
            first = each->y() < first->y() ? each : first;
        }
        QVERIFY(first != newest());
        first->setMinimumHeight(first->height() + scroll().viewport()->height());
        QTRY_VERIFY(newest()->y() > scroll().viewport()->height());
        QTest::qWait(50); // all places are new
        QTRY_VERIFY(isInSight(scroll(), *newest()));
        window().actions().stopJobs->trigger();
        QTRY_COMPARE(window().jobs().active(), 0);
    }

    void oneButtonIsPrimary() {
        QVERIFY(consolidate() != std::filesystem::path());
        int primary = 0;
        for (const Button* each : window().findChildren<Button*>()) {
            primary += each->isVisible() && each->isPrimary() ? 1 : 0;
        }
        QCOMPARE(primary, 1);
        QTRY_COMPARE(page().startButton()->text(), QStringLiteral("Deploy Again"));
        picture(window(), QStringLiteral("job-done"));
        picture(window(), QStringLiteral("job-done-small"), {880, 560});
    }

    void resultCanBeOpenedCopiedAndCompared() {
        const std::filesystem::path output = consolidate();
        QVERIFY(!output.empty());
        const std::filesystem::path source = window().checkpoint()->path();
        click(button(*newest(), QStringLiteral("Copy Python")));
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("from_pretrained")));
        click(button(*newest(), QStringLiteral("Open Folder"))); // there is no file manager here
        QTRY_VERIFY(findStrip(window(), QStringLiteral("no file manager")));
        click(button(*window().messages(), QStringLiteral("Copy Path")));
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(output.string()));

        click(button(*newest(), QStringLiteral("Compare with Source")));
        DiffPage& diff = *window().pages().diff;
        QTRY_VERIFY_WITH_TIMEOUT(diff.document() != nullptr, kTimeoutMs);
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(&diff));
        window().actions().showJobs->trigger();
        click(button(*newest(), QStringLiteral("Show in Cairn")));
        QTRY_VERIFY_WITH_TIMEOUT(window().checkpoint() && window().checkpoint()->path() == output,
                                 kTimeoutMs);
        QVERIFY(std::filesystem::exists(source));
    }

    void undoMovesTheOutputToTheWastebasket() {
        const std::filesystem::path output = consolidate();
        QVERIFY(!output.empty());
        const auto source = window().checkpoint()->path();
        click(button(*newest(), QStringLiteral("Undo")));
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page(), QStringLiteral("Moved to the wastebasket")),
                                 kTimeoutMs);
        QVERIFY(!std::filesystem::exists(output));
        const std::filesystem::path basket = m_data.path().toStdString() + "/share/Trash";
        QVERIFY(std::filesystem::exists(basket / "files" / output.filename() / "MANIFEST.json"));
        QVERIFY(
            std::filesystem::exists(basket / "info" / (output.filename().string() + ".trashinfo")));
        QVERIFY(openCheckpoint(source));
        QTRY_VERIFY_WITH_TIMEOUT(isReady() &&
                                     window().deployment().planned()->plan.output == output,
                                 kTimeoutMs); // the name is free again
    }

    void undoRefusesAnOutputThatChanged() {
        const std::filesystem::path output = consolidate();
        QVERIFY(!output.empty());
        std::ofstream(output / "config.json", std::ios::app) << " ";
        click(button(*newest(), QStringLiteral("Undo")));
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page(), QStringLiteral("has changed")), kTimeoutMs);
        QVERIFY(std::filesystem::exists(output / "config.json"));
    }

    void undoWaitsForAJobThatReadsTheOutput() {
        const std::filesystem::path output = consolidate();
        QVERIFY(!output.empty());
        const JobId endlessJob = queue().submit("Something else", endless);
        window().jobs().wake();
        MessageStrip* strip = findStrip(page(), kCompared);
        QVERIFY(choose(button(*strip, QStringLiteral("More")),
                       QStringLiteral("Verify Again"))); // waits
        click(button(*strip, QStringLiteral("Undo")));
        QTRY_VERIFY(findStrip(page(), QStringLiteral("is reading or writing")));
        QVERIFY(std::filesystem::exists(output));
        queue().cancel(endlessJob);
        QTRY_COMPARE_WITH_TIMEOUT(window().jobs().active(), 0, kTimeoutMs);
    }

    void theSameOutputIsNotWrittenTwice() {
        const auto place = window().deployment().planned()->place;
        const auto first = queue().submitFor(place.string(), "The first", endless);
        QVERIFY(first);
        window().jobs().wake();
        QTRY_VERIFY(!window().actions().consolidate->isEnabled());
        window().actions().showJobs->trigger();
        QVERIFY(!toolbarButton()->isEnabled());
        QVERIFY(toolbarButton()->toolTip().contains(QStringLiteral("is writing")));
        QVERIFY(window().topBar()->forecast().contains(QStringLiteral("is writing")));
        QVERIFY(!page().startButton()->isEnabled());
        QVERIFY(!window().deployment().start()); // refused by the queue too
        QCOMPARE(queue().snapshot().size(), std::size_t{1});
        picture(window(), QStringLiteral("job-taken"));
        queue().cancel(*first);
        QTRY_VERIFY(toolbarButton()->isEnabled());
    }

    void focusGoesToTheCardAndStaysThere() {
        queue().submit("Another", endless); // the new one waits
        window().jobs().wake();
        toolbarButton()->setFocus();
        QTest::keyClick(toolbarButton(), Qt::Key_Space);
        QTRY_VERIFY(newest() != nullptr && queue().snapshot().size() == 2);
        QTRY_VERIFY(newest()->isAncestorOf(QApplication::focusWidget()));
        const JobId id = newest()->id();
        queue().cancel(queue().snapshot().front().id);
        QTRY_COMPARE_WITH_TIMEOUT(queue().snapshot(id)->state, JobState::Done, kTimeoutMs);
        QTRY_VERIFY(newest()->hasEnded());
        QVERIFY(newest()->isAncestorOf(QApplication::focusWidget())); // Open Folder
    }

    void passedChecksAreFolded() {
        window().actions().showJobs->trigger();
        QVERIFY(showsText(page(), QStringLiteral("checks passed")));
        const auto labels = [this] {
            return page()
                .findChild<ChecksCard*>(QStringLiteral("checks"))
                ->findChildren<QLabel*>()
                .size();
        };
        const auto folded = labels();
        scroll().ensureWidgetVisible(button(page(), QStringLiteral("Show All")));
        click(button(page(), QStringLiteral("Show All")));
        QTRY_VERIFY(labels() > folded + 8);
        QVERIFY(button(page(), QStringLiteral("Show Fewer"))->hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QTRY_COMPARE(labels(), folded);
    }

    void aFolderWithoutTokenizerIsNamedAtTheButton() {
        for (const char* name : {"tokenizer.json", "tokenizer_config.json", "vocab.json"}) {
            for (const auto& entry :
                 std::filesystem::recursive_directory_iterator(m_fixture->experiment())) {
                if (entry.path().filename() == name) {
                    std::filesystem::remove(entry.path());
                }
            }
        }
        window().deployment().replan();
        QVERIFY(isReady());
        QTRY_VERIFY(window().topBar()->forecast().startsWith(QStringLiteral("no tokenizer")));
        QVERIFY(toolbarButton()->isEnabled()); // it is a choice
    }

    void forecastLeavesOutItsLastParts() {
        ForecastLabel& label = *window().topBar()->forecastLabel();
        const QString whole = label.text();
        QVERIFY2(whole.contains(QStringLiteral("shards → 1 model file")), qPrintable(whole));
        QVERIFY2(whole.contains(QStringLiteral(" free")), qPrintable(whole));
        for (const int width : {1440, 1200, 1000, 880}) {
            window().resize(width, 560);
            QTRY_COMPARE(window().width(), width);
            QTest::qWait(20);
            const QString shown = label.shownText();
            QVERIFY(label.fontMetrics().horizontalAdvance(shown) <= label.width());
            QVERIFY2(shown == whole || shown.isEmpty() || shown.endsWith(QStringLiteral("…")) ||
                         whole.startsWith(shown + QStringLiteral(" · ")),
                     qPrintable(shown));
        }
        QVERIFY(label.toolTip().contains(QStringLiteral("free")));
    }

    /// A warning that does not fit has two lines; a few letters of it are of no use.
    void aLongWarningHasTwoLines() {
        const QString warning = QStringLiteral("A shard is missing: 21 tensors are incomplete");
        ForecastLabel label;
        label.setParts({warning}, {}, theme::Tone::Attention);
        label.resize(label.fontMetrics().horizontalAdvance(warning) + 2, 30);
        QCOMPARE(label.shownText(), warning);
        label.resize(label.width() * 2 / 3, 30);
        QCOMPARE(label.shownText(), warning);
        label.resize(label.width() / 2, 30);
        QVERIFY2(label.shownText().startsWith(QStringLiteral("A shard is ")) &&
                     label.shownText().endsWith(QStringLiteral(" …")),
                 qPrintable(label.shownText()));
        label.resize(40, 30);
        QCOMPARE(label.shownText(), QString());
        label.setParts({warning}, {}, theme::Tone::Dim); // facts are whole or left out
        label.resize(label.fontMetrics().horizontalAdvance(warning) * 2 / 3, 30);
        QCOMPARE(label.shownText(), QString());
    }

    void aVanishedFolderIsNotConsolidated() {
        const auto run = m_fixture->experiment() / "tiny-llama-a";
        std::filesystem::rename(run, m_fixture->folder() / "away");
        click(toolbarButton()); // the plan is still the one of before
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page(), QStringLiteral("no longer exists")), kTimeoutMs);
        QVERIFY(!std::filesystem::exists(run));
        QTRY_COMPARE(window().jobs().active(), 0);
        QTRY_VERIFY(isInSight(scroll(), *newest()));
        picture(window(), QStringLiteral("job-vanished"));
        std::filesystem::rename(m_fixture->folder() / "away", run);
        click(button(*newest(), QStringLiteral("Retry")));
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page(), kCompared), kTimeoutMs);
    }

    void aFailureIsInTheCard() {
        const auto deploy = m_fixture->experiment() / "tiny-llama-a/deploy";
        std::ofstream(deploy) << "a file in the way";
        click(toolbarButton());
        QTRY_VERIFY_WITH_TIMEOUT(newest() != nullptr && newest()->hasEnded(), kTimeoutMs);
        QVERIFY(showsText(*newest(), QStringLiteral("No files were left")));
        QVERIFY(button(*newest(), QStringLiteral("Retry")) != nullptr);
        QTRY_VERIFY(window().topBar()->jobChip()->isVisible());
        QCOMPARE(window().topBar()->jobChip()->shownText(), QStringLiteral("1 job failed"));
        picture(window(), QStringLiteral("job-failed"));
        picture(window(), QStringLiteral("job-failed-small"), {880, 560});
    }

    void chipIsThereOnEveryPage() {
        const JobId id = queue().submit("Consolidate run-a, step-1", endless);
        window().jobs().wake();
        JobChip& chip = *window().topBar()->jobChip();
        for (Page* each : window().pages().all) {
            window().workspace()->setCurrentTab(window().workspace()->tabOf(each));
            QVERIFY(chip.isVisible());
        }
        window().workspace()->setCurrentTab(window().workspace()->tabOf(window().pages().tensors));
        window().resize(1440, 900); // the chip leaves out its last parts in a narrow window
        QTRY_VERIFY2_WITH_TIMEOUT(chip.shownText().contains(QStringLiteral("left")),
                                  qPrintable(chip.toolTip()), kTimeoutMs);
        QVERIFY(chip.shownText().startsWith(QStringLiteral("1 job · ")));
        click(&chip);
        QTRY_VERIFY(popover().isVisible());
        QVERIFY(showsText(popover(), QStringLiteral("step-1")));
        QTRY_VERIFY(popover().isSettled());
        auto* rows = popover().findChild<QScrollArea*>();
        QTRY_VERIFY(isInSight(*rows, *button(popover(), QStringLiteral("Pause"))));
        picture(popover(), QStringLiteral("job-popover"), popover().size());
        click(button(popover(), QStringLiteral("Pause")));
        QTRY_COMPARE(queue().snapshot(id)->state, JobState::Paused);
        QTRY_VERIFY(button(popover(), QStringLiteral("Resume")) != nullptr);
        click(button(popover(), QStringLiteral("Resume")));
        QTRY_COMPARE(queue().snapshot(id)->state, JobState::Running);
        click(button(popover(), QStringLiteral("Show")));
        QVERIFY(!popover().isVisible());
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(&page()));
        click(&chip);
        QTRY_VERIFY(popover().isVisible() && popover().isSettled());
        QTRY_VERIFY(isInSight(*rows, *button(popover(), QStringLiteral("Cancel"))));
        click(button(popover(), QStringLiteral("Cancel")));
        QTRY_COMPARE(queue().snapshot(id)->state, JobState::Stopped);
        QTest::keyClick(&popover(), Qt::Key_Escape);
        QTRY_VERIFY(!popover().isVisible() && !chip.isVisible()); // it was stopped by hand
        window().resize(880, 560);
    }

    void historySurvivesRestarts() {
        const std::filesystem::path output = consolidate();
        QVERIFY(!output.empty());
        JobChip& chip = *window().topBar()->jobChip();
        QTRY_COMPARE(chip.shownText(), QStringLiteral("1 job done"));
        const QByteArray state = qgetenv("XDG_STATE_HOME");
        WindowFixture second;
        qputenv("XDG_STATE_HOME", state);
        MainWindow& again = *second.window;
        QVERIFY(!again.topBar()->jobChip()->isVisible());
        again.actions().jobHistory->trigger();
        JobPopover& shown = *again.jobPopover();
        const QString name = QString::fromStdString(output.filename().string());
        QTRY_VERIFY_WITH_TIMEOUT(showsText(shown, name), kTimeoutMs);
        QVERIFY(showsText(shown, kCompared));
        QVERIFY(button(shown, QStringLiteral("Open Folder")) != nullptr);
        picture(shown, QStringLiteral("job-history"), shown.size());
        click(button(shown, QStringLiteral("Show in Cairn")));
        QTRY_VERIFY_WITH_TIMEOUT(again.checkpoint() && again.checkpoint()->path() == output,
                                 kTimeoutMs);
        again.actions().jobHistory->trigger();
        QTRY_VERIFY(shown.isSettled() && button(shown, QStringLiteral("Clear History")));
        click(button(shown, QStringLiteral("Clear History")));
        QTRY_VERIFY_WITH_TIMEOUT(showsText(shown, QStringLiteral("No job has run")), kTimeoutMs);
        QVERIFY(JobRegistry().history().list().empty());
        QVERIFY(std::filesystem::exists(manifestPath(output)));
    }

    void aSummonedWindowComesBackWithItsJobs() {
        const JobId running = queue().submit("Long", endless);
        const JobId held = queue().submit("Held", endless);
        queue().pause(running);
        queue().pause(held);
        window().closeGuard().ask = [](int) { return CloseGuard::Leave::FinishThenQuit; };
        window().close();
        QVERIFY(!window().isVisible());
        QTRY_COMPARE(queue().snapshot(running)->state,
                     JobState::Running); // else it would stay for ever
        QVERIFY(!queue().snapshot(held)->held);
        window().summon({});
        QVERIFY(window().isVisible());
        QCOMPARE(window().workspace()->currentPage(), static_cast<Page*>(&page()));
        QVERIFY(showsText(page(), QStringLiteral("Long")));
        window().actions().stopJobs->trigger();
        QTRY_COMPARE(window().jobs().active(), 0);
        QTest::qWait(50);
        QVERIFY(window().isVisible()); // it was asked for: the end of the jobs does not end it
        window().summon({.paths = {m_fixture->experiment() / "tiny-llama-b"}});
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled(), kTimeoutMs);
    }
};

QTEST_MAIN(JobResultsTest)
#include "job_results_test.moc"
