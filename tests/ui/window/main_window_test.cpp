// SPDX-License-Identifier: GPL-3.0-or-later
// The three ways through the window that have to work: browse to a value, consolidate, meet a
// broken checkpoint.
#include "core/formats/format.h"
#include "core/jobs/engine/disk_rates.h"
#include "tests/ui/support/job_pages.h"
#include "ui/inspector/inspector.h"
#include "ui/models/row_roles.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/shards/piece_grid.h"
#include "ui/pages/shards/shard_map.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/centre_notice.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QSignalSpy>

#include <fstream>

using namespace cairn;
using namespace cairn::ui;
using test::button;
using test::findStrip;
using test::kTimeoutMs;
using test::showsText;
using test::WindowFixture;

class MainWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void browseToAValue() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QVERIFY(window.statusLine()->counts().contains(QStringLiteral("tensors")));
        window.actions().tabs[1]->trigger();
        QCOMPARE(window.workspace()->currentPage(), window.pages().tensors);
        window.actions().filter->trigger();
        QLineEdit* field = window.topBar()->filterField();
        QTest::keyClicks(field, QStringLiteral("q_proj"));
        QSignalSpy values(window.pages().inspector, &Inspector::valuesShown);
        QTest::keyClick(field, Qt::Key_Down);
        QWidget* list = window.pages().tensors->filterTarget();
        QVERIFY(list != nullptr);
        for (int row = 0; row < 12 && values.isEmpty(); ++row) {
            QTest::keyClick(list, Qt::Key_Right);
            QTest::keyClick(list, Qt::Key_Down);
            QTest::qWait(150);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!values.isEmpty(), kTimeoutMs);
        QVERIFY(showsText(*window.pages().inspector, QStringLiteral("q_proj")));
    }

    void summaryReportsWhatPicklesWouldRun() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        // os.system("true") in the file that a Trainer writes next to the weights.
        std::ofstream(fixture.experiment() / "hf-export" / "training_args.bin", std::ios::binary)
            << "\x80\x02"
            << "cposix\nsystem\nX\x04" << std::string(3, '\0') << "true\x85R.";
        QVERIFY(fixture.open("hf-export"));
        QTRY_VERIFY_WITH_TIMEOUT(showsText(*window.pages().summary,
                                           QStringLiteral("Loading it in Python would run code")),
                                 kTimeoutMs);
        test::picture(window, QStringLiteral("pickles"), {880, 560});
    }

    void theWindowHasOneSelection() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        PageSet& pages = window.pages();
        window.actions().tabs[1]->trigger();
        auto* list = qobject_cast<QTreeView*>(pages.tensors->filterTarget());
        QTRY_VERIFY_WITH_TIMEOUT(list->model()->rowCount() > 0, kTimeoutMs);
        QSignalSpy fromTensors(pages.tensors, &Page::tensorSelected);
        for (int row = 0; row < 24 && fromTensors.isEmpty(); ++row) {
            QTest::keyClick(list, Qt::Key_Right);
            QTest::keyClick(list, Qt::Key_Down);
        }
        QCOMPARE(fromTensors.size(), 1);
        auto* map = pages.shards->findChild<ShardMap*>();
        const auto chosen = fromTensors.front().at(1).value<TensorIndex>();
        window.actions().tabs[2]->trigger(); // maps the files
        QTRY_VERIFY_WITH_TIMEOUT(map->selected() == chosen, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(pages.shards->findChild<PieceGrid*>()->isVisible(), kTimeoutMs);

        QSignalSpy fromShards(pages.shards, &Page::tensorSelected);
        QTest::keyClick(map, Qt::Key_Right);
        QTest::keyClick(map, Qt::Key_Right);
        QVERIFY(!fromShards.isEmpty());
        const TensorEntry& other = window.checkpoint()->tensor(*map->selected());
        QVERIFY(*map->selected() != chosen);
        QCOMPARE(list->currentIndex().data(RowRoles::FullName).toString().toStdString(),
                 other.name);
        QCOMPARE(fromTensors.size(), 1); // no second signal
    }

    void aRoleFiltersTheTensors() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QTreeView* tree = window.navigator()->view();
        const QModelIndex checkpoint = tree->currentIndex();
        QModelIndex optimizer;
        for (int row = 0; row < tree->model()->rowCount(checkpoint); ++row) {
            const QModelIndex index = tree->model()->index(row, 0, checkpoint);
            optimizer = index.data().toString() == QStringLiteral("optimizer") ? index : optimizer;
        }
        QVERIFY(optimizer.isValid());
        const auto shows = [&](const QString& text) {
            return showsText(*window.pages().tensors, text);
        };
        tree->setCurrentIndex(optimizer);
        QCOMPARE(window.workspace()->currentPage(), window.pages().tensors);
        QLineEdit* field = window.topBar()->filterField();
        QCOMPARE(field->text(), QStringLiteral("role:optimizer"));
        const QString count = optimizer.data(NavigatorModel::DimTextRole).toString();
        QTRY_VERIFY_WITH_TIMEOUT(shows(count + QStringLiteral(" of ")), kTimeoutMs);
        tree->setCurrentIndex(checkpoint); // the checkpoint again
        QVERIFY(field->text().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!shows(QStringLiteral(" of ")), kTimeoutMs);
        field->setText(QStringLiteral("q_proj"));
        fixture.choose("tiny-llama-a/step-200");
        QCOMPARE(field->text(), QStringLiteral("q_proj")); // the typed text stays
    }

    void consolidateTheSample() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        QTRY_VERIFY_WITH_TIMEOUT(window.deployment().isReady(), kTimeoutMs);
        QVERIFY(window.topBar()->forecast().contains(QStringLiteral("memory"))); // before the click
        QVERIFY(!window.actions().consolidate->text().endsWith(QStringLiteral("…")));
        const std::filesystem::path output = window.deployment().planned()->plan.output;
        QCOMPARE(output, fixture.experiment() / "tiny-llama-a/deploy/tiny-llama-a-step-400");
        window.actions().consolidate->trigger();
        const ConsolidatePage& page = *window.pages().consolidate;
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page, QStringLiteral("every byte compared")),
                                 kTimeoutMs);
        const auto written = openCheckpoint(output);
        QVERIFY(written);
        QVERIFY(std::filesystem::exists(output / "MANIFEST.json"));
        QVERIFY(std::filesystem::exists(output / "config.json"));
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.deployment().planned(), kTimeoutMs);
        QVERIFY(window.deployment().planned()->plan.output != output); // never an existing path

        button(page, QStringLiteral("Copy Python"))->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("from_pretrained")));
        const MessageStrip* strip = findStrip(page, QStringLiteral("every byte compared"));
        QVERIFY(
            test::choose(button(*strip, QStringLiteral("More")), QStringLiteral("Verify Again")));
        QTRY_VERIFY_WITH_TIMEOUT(findStrip(page, QStringLiteral("Verified:")), kTimeoutMs);
    }

    void forecastAtTheRateOfThisDisk() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        window.actions().showJobs->trigger();
        const auto settles = [&](const QString& button, const QString& card) {
            return waitUntil(
                [&] {
                    return window.isSettled() && !window.deployment().isPlanning() &&
                           window.deployment().forecastTip().contains(button) &&
                           showsText(*window.pages().consolidate, card);
                },
                kTimeoutMs);
        };
        QVERIFY(settles(QStringLiteral("(assumed rate)"),
                        QStringLiteral("assumed; not yet measured here")));
        test::picture(window, QStringLiteral("forecast-assumed"));

        const CopyPlan& plan = window.deployment().planned()->plan;
        const FileSystemPair disks = fileSystemsOf(*plan.source, plan.output);
        const MeasuredWork work{workKindOf(plan), DiskRates::kLeastBytes, 2000};
        RealFileOps fileOps;
        QVERIFY(DiskRates().learn(fileOps, disks, work)); // in the fixture's own state folder
        window.deployment().replan();
        QVERIFY(settles(QStringLiteral("(measured)"), QStringLiteral("measured on this disk")));
        QVERIFY(showsText(*window.pages().consolidate, QStringLiteral("at 134.2 kB/s")));
        test::picture(window, QStringLiteral("forecast-measured"));
    }

    void meetABrokenCheckpoint() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-300"));
        QTRY_VERIFY_WITH_TIMEOUT(window.deployment().planned(), kTimeoutMs);
        QVERIFY(!window.deployment().isRunnable());
        QVERIFY(window.actions().consolidate->text().endsWith(QStringLiteral("…")));
        QVERIFY(window.topBar()->forecast().contains(QStringLiteral("__2_0.distcp")));
        QTRY_VERIFY_WITH_TIMEOUT(showsText(*window.pages().summary, QStringLiteral("incomplete")),
                                 kTimeoutMs);
        QVERIFY(showsText(*window.pages().summary, QStringLiteral("__2_0.distcp")));
        window.actions().consolidate->trigger();
        QCOMPARE(window.workspace()->currentPage(), static_cast<Page*>(window.pages().consolidate));
        QVERIFY(window.jobs().jobs().empty()); // nothing is started
        QVERIFY(!window.pages().consolidate->startButton()->isEnabled());
        QVERIFY(!std::filesystem::exists(fixture.experiment() / "tiny-llama-a/deploy"));
        QTRY_COMPARE_WITH_TIMEOUT(window.navigator()
                                      ->view()
                                      ->currentIndex()
                                      .data(NavigatorModel::BadgeTextRole)
                                      .toString(),
                                  QStringLiteral("shard 2 missing"), kTimeoutMs);
    }

    void unreadableFileReportsWhyAndOffersRetry() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::filesystem::path file = fixture.folder() / "page.pt";
        std::ofstream(file) << "<!DOCTYPE html><html><body>404</body></html>";
        window.openPaths({file});
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), kTimeoutMs);
        QTest::qWait(50);
        const bool atTop = !window.messages()->isHidden();
        const bool inCentre = !window.workspace()->isShowingPages() &&
                              !window.workspace()->notice()->title().isEmpty();
        QVERIFY(atTop || inCentre);
    }

    void aFileIsShownAlthoughTheListHasTheFocus() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const std::filesystem::path file =
            fixture.experiment() / "tiny-llama-b/checkpoint_epoch_1.pt";
        window.openPaths({file});
        QTreeView* view = window.navigator()->view();
        view->setCurrentIndex(view->model()->index(0, 0)); // what the focus does before it is read
        QTRY_VERIFY_WITH_TIMEOUT(window.isSettled() && window.checkpoint() &&
                                     window.checkpoint()->path() == file,
                                 kTimeoutMs);
    }

    void missingFolderIsReported() {
        WindowFixture fixture;
        fixture.window->openPaths({fixture.folder() / "nowhere"});
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->messages()->isHidden(), kTimeoutMs);
        QVERIFY(button(*fixture.window->messages(), QStringLiteral("Retry")) != nullptr);
    }

    void backAndForwardFollowTheVisits() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open("tiny-llama-a/step-100"));
        const auto shows = [&](const char* name) {
            return window.checkpoint() && window.checkpoint()->path().filename() == name;
        };
        fixture.choose("tiny-llama-a/step-200");
        QTRY_VERIFY_WITH_TIMEOUT(shows("step-200"), kTimeoutMs);
        window.actions().back->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shows("step-100"), kTimeoutMs);
        window.actions().forward->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shows("step-200"), kTimeoutMs);
    }

    void browsingWritesNothing() {
        WindowFixture fixture;
        QVERIFY(fixture.open("tiny-llama-a/step-400"));
        for (QAction* tab : fixture.window->actions().tabs) {
            tab->trigger();
            QTest::qWait(30);
        }
        const auto count = [](const std::filesystem::path& folder) {
            const std::filesystem::recursive_directory_iterator all(folder);
            return std::distance(begin(all), end(all));
        };
        QCOMPARE(count(fixture.experiment()), count(CAIRN_SAMPLE_FOLDER));
    }

    void brokenSettingsGiveTheDefaults() {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        settings.setValue(QStringLiteral("recent/size"), QStringLiteral("many"));
        settings.setValue(QStringLiteral("recent/1/path"), QVariantList{-1, QStringLiteral("x")});
        WindowFixture fixture;
        MainWindow window(fixture.services, settings);
        QVERIFY(window.width() >= 600 && window.height() >= 400);
        QVERIFY(window.workspace()->currentTab() >= 0);
    }

    void closingWithAJobAsks() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        std::atomic<bool> go{false};
        fixture.services.jobs->submit("long", [&](JobContext& context) -> Result<void> {
            while (!go && !context.token().cancelled()) {
                QThread::msleep(2);
            }
            return {};
        });
        int asked = 0;
        window.closeGuard().ask = [&](int active) {
            asked = active;
            return CloseGuard::Leave::Stay;
        };
        QVERIFY(!window.close());
        QCOMPARE(asked, 1);
        QVERIFY(window.isVisible());
        go = true;
        QTRY_VERIFY(window.jobs().active() == 0);
        QVERIFY(window.close());
    }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
