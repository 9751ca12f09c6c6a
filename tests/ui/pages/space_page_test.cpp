// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes on a map, and a retention plan that moves checkpoints and moves them back.
#include "core/formats/format.h"
#include "core/io/file_ops.h"
#include "core/runs/retention/prunable_run.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/models/row_view.h"
#include "ui/pages/space/crumb_bar.h"
#include "ui/pages/space/rule_bar.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/space/space_table.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/message_strip.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QProcess>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QToolButton>

#include <algorithm>
#include <map>
#include <set>

namespace cairn::ui {
namespace {

namespace fs = std::filesystem;
using cairn::test::readText;
using cairn::test::TemporaryFolder;

constexpr int kTimeoutMs = 30'000;

/// Two runs of checkpoints that were written hours ago, the later ones later.
class Runs {
public:
    Runs() {
        for (const char* run : {"run-a", "run-b"}) {
            for (int step = 1; step <= 5; ++step) {
                save(run, step * 100);
            }
        }
        m_folder.write("run-a/train.log", "text");
    }
    fs::path path() const { return m_folder.path() / "experiment"; }
    fs::path below(const std::string& name) const { return path() / name; }
    fs::path home() const { return m_folder.path() / "home"; }
    void write(const std::string& name, const std::string& content) const {
        m_folder.write("experiment/" + name, content);
    }
    void save(const std::string& run, int step) const {
        const std::string name = "experiment/" + run + "/step-" + std::to_string(step);
        for (const std::string file : {"/model.safetensors", "/ema.safetensors"}) {
            m_folder.write(name + file, cairn::test::smallSafetensors());
            m_folder.age(name + file, 100'000 - step * 10);
        }
    }
    /// Every file below with its content.
    std::map<std::string, std::string> content() const {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(path())) {
            if (entry.is_regular_file()) {
                files[entry.path().string()] =
                    readText(entry.path()) +
                    std::to_string(fs::last_write_time(entry.path()).time_since_epoch().count());
            }
        }
        return files;
    }

private:
    TemporaryFolder m_folder;
};

struct Shown {
    explicit Shown(const Runs& runs) : page(ops) {
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(runs.home().string()));
        fs::create_directories(runs.home());
        page.resize(900, 700);
        page.show();
        open(runs);
    }
    void open(const Runs& runs) {
        show(runs.path());
        wait();
    }
    void show(const fs::path& path) {
        page.showExperiment(std::make_shared<const Experiment>(*scanExperiment(path)));
    }
    void wait() {
        QVERIFY(QTest::qWaitFor(
            [this] { return page.isSettled() && page.view()->map() != nullptr; }, kTimeoutMs));
    }
    /// The middle of a checkpoint's tile.
    QPoint tileOf(const fs::path& checkpoint) {
        const auto at = page.view()->map()->saves.find(checkpoint);
        for (const MapTile& tile : page.view()->tiles()) {
            if (at != page.view()->map()->saves.end() && tile.node == at->second) {
                return tile.rect.center().toPoint();
            }
        }
        return {-1, -1};
    }
    void chooseRule(Button* button, const QString& text) {
        for (QAction* action : button->menu()->actions()) {
            if (action->text() == text) {
                action->trigger();
                wait();
                return;
            }
        }
        QFAIL("no such rule");
    }
    void press(const QString& text) {
        for (QPushButton* button : page.strip()->findChildren<QPushButton*>()) {
            if (button->isVisible() && button->text() == text) {
                QTest::mouseClick(button, Qt::LeftButton);
                wait();
                return;
            }
        }
        QFAIL("no such button");
    }

    RealFileOps ops;
    SpacePage page;
};

/// Null: it is not offered.
QAbstractButton* findSegment(const SpacePage& page, const QString& text) {
    for (auto* each : page.findChildren<QAbstractButton*>()) {
        if (each->isVisible() && each->text() == text) {
            return each;
        }
    }
    return nullptr;
}

void pressSegment(const SpacePage& page, const QString& text) {
    QTRY_VERIFY(findSegment(page, text) != nullptr);
    QTest::mouseClick(findSegment(page, text), Qt::LeftButton);
}

/// What `cairn-cli prune` says about a run: what it would remove, and how much that frees.
std::pair<std::set<std::string>, double> pruned(const fs::path& run, const QStringList& rules) {
    QProcess program;
    program.start(QStringLiteral(CAIRN_CLI_FOLDER "/cairn-cli"),
                  QStringList{QStringLiteral("prune"), QString::fromStdString(run.string()),
                              QStringLiteral("--json")} +
                      rules);
    program.waitForFinished(kTimeoutMs);
    const QJsonObject json = QJsonDocument::fromJson(program.readAllStandardOutput()).object();
    std::set<std::string> paths;
    for (const auto& each : json[QStringLiteral("remove")].toArray()) {
        paths.insert(each.toObject()[QStringLiteral("path")].toString().toStdString());
    }
    return {paths, json[QStringLiteral("freed_bytes")].toDouble()};
}

std::set<std::string> planned(const RetentionController& controller) {
    std::set<std::string> paths;
    for (const auto& run : controller.outcome()->runs) {
        for (const auto& each : run.plan.remove) {
            paths.insert(each.path.string());
        }
    }
    return paths;
}

} // namespace

class SpacePageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qRegisterMetaType<CheckpointPtr>("cairn::CheckpointPtr");
        qRegisterMetaType<TensorIndex>("cairn::TensorIndex");
        qputenv("CAIRN_CACHE", "off");
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    /// In a small window the rules have short words in one row, and map and plan are shown in turn.
    void aLowPageShowsMapAndPlanInTurn() {
        const Runs runs;
        Shown shown(runs);
        SpacePage& page = shown.page;
        shown.chooseRule(page.rules()->last(), QStringLiteral("Keep the Last 1"));
        QCOMPARE(page.rules()->last()->text(), QStringLiteral("Keep the Last 1"));
        page.resize(540, 436); // of a window of 880 by 560
        QTRY_VERIFY2(page.view()->height() >= 180,
                     qPrintable(QString::number(page.view()->height())));
        QVERIFY(!page.table()->isVisible());
        pressSegment(page, QStringLiteral("Plan"));
        const auto visible = [&page] {
            const QRect area = page.table()->viewport()->rect();
            int rows = 0;
            for (int row = 0; row < page.table()->model()->rowCount(); ++row) {
                const QRect rect = page.table()->visualRect(page.table()->model()->index(row, 0));
                rows += rect.isValid() && area.contains(QPoint(0, rect.bottom())) ? 1 : 0;
            }
            return rows;
        };
        QTRY_VERIFY2(visible() >= 9, qPrintable(QString::number(visible())));
        QVERIFY(!page.view()->isVisible());
        QVERIFY(test::saveScreenshots(page, QStringLiteral("space-low-plan")));
        pressSegment(page, QStringLiteral("Map"));
        QTRY_VERIFY(page.view()->isVisible() && page.view()->height() >= 180);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("space-low-map")));
        page.resize(440, 436);
        QTest::qWait(50);
        QCOMPARE(page.rules()->last()->text(), QStringLiteral("Last: 1"));
        QCOMPARE(page.rules()->last()->accessibleName(), QStringLiteral("Keep the Last 1"));
        QCOMPARE(page.rules()->last()->y(), page.rules()->best()->y());
        page.resize(900, 700);
        QTest::qWait(50);
        QCOMPARE(page.rules()->last()->text(), QStringLiteral("Keep the Last 1"));
        QVERIFY(page.view()->isVisible() && page.table()->isVisible());
        QVERIFY(findSegment(page, QStringLiteral("Map")) == nullptr);
    }

    /// The ten largest are those of what fills the map.
    void theLargestFollowTheZoom() {
        RealFileOps ops;
        SpacePage page(ops);
        page.resize(800, 600);
        page.show();
        const CheckpointPtr checkpoint = test::makeTransformer(12);
        page.showCheckpoint(checkpoint);
        const auto settled = [&page] {
            return QTest::qWaitFor([&page] { return page.isSettled() && page.view()->map(); },
                                   kTimeoutMs);
        };
        QVERIFY(settled());
        TreemapView& view = *page.view();
        const auto shown = [&page] {
            std::vector<std::string> names;
            for (int row = 0; row < page.table()->model()->rowCount(); ++row) {
                names.push_back(
                    page.table()->model()->index(row, 0).data().toString().toStdString());
            }
            return names;
        };
        /// From the list of tensors, without the map.
        const auto expected = [&](const std::string& prefix) {
            std::vector<std::pair<std::uint64_t, std::string>> sizes;
            for (const TensorEntry& tensor : checkpoint->tensors()) {
                if (tensor.name.starts_with(prefix)) {
                    sizes.emplace_back(tensor.bytes(), tensor.name);
                }
            }
            std::ranges::stable_sort(sizes, std::ranges::greater(),
                                     &std::pair<std::uint64_t, std::string>::first);
            std::vector<std::string> names;
            for (std::size_t i = 0; i < std::min<std::size_t>(10, sizes.size()); ++i) {
                names.push_back(sizes[i].second);
            }
            return names;
        };
        QCOMPARE(shown(), expected(""));
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Right);
        for (std::string prefix; view.map()->nodes[view.root()].childCount > 0;) {
            const std::uint32_t before = view.root();
            QTest::keyClick(&view, Qt::Key_Return);
            QVERIFY(settled());
            if (view.root() == before) { // a tensor
                QVERIFY(!prefix.empty());
                break;
            }
            prefix.clear();
            for (std::uint32_t at = view.root(); at != 0; at = view.map()->nodes[at].parent) {
                prefix = std::string(view.map()->nodes[at].name) + "." + prefix;
            }
            QCOMPARE(shown(), expected(prefix));
            QTest::keyClick(&view, Qt::Key_Right);
        }
        QTest::keyClick(&view, Qt::Key_Escape);
        while (view.root() != 0) {
            QTest::keyClick(&view, Qt::Key_Escape);
        }
        QVERIFY(settled());
        QCOMPARE(shown(), expected(""));
    }

    void aTileIsACheckpoint() {
        const Runs runs;
        Shown shown(runs);
        SpacePage& page = shown.page;
        QCOMPARE(page.view()->map()->saves.size(), std::size_t{10});
        QVERIFY(page.sidePanel() != nullptr);
        QSignalSpy chosen(&page, &SpacePage::checkpointChosen);
        const fs::path path = runs.below("run-a/step-300");
        QTest::mouseClick(page.view(), Qt::LeftButton, {}, shown.tileOf(path));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<fs::path>(), path);
        // The window opens it and shows it to every page: the map stays.
        const auto opened = openCheckpoint(path);
        QVERIFY(opened.has_value());
        page.clear();
        page.showCheckpoint(*opened);
        shown.wait();
        QVERIFY(page.view()->map()->tree != nullptr);
        QVERIFY(page.view()->selected().has_value());
        // Names that begin alike are different checkpoints.
        runs.save("run-a", 3000);
        const auto longer = openCheckpoint(runs.below("run-a/step-3000"));
        page.showCheckpoint(*longer);
        shown.wait();
        QVERIFY(page.view()->map()->checkpoint == *longer);
        fs::remove_all(runs.below("run-a/step-3000"));
        shown.open(runs);
        QTest::mouseClick(page.view(), Qt::LeftButton, {}, shown.tileOf(path));
        page.showCheckpoint(*opened);
        chosen.clear();
        chosen.append(QVariantList());
        // A row of the table selects its tile.
        page.table()->setCurrentIndex(page.table()->model()->index(0, 0));
        QCOMPARE(chosen.size(), 2);
        // Enter shows its tensors, Esc the map of its run, with the tile selected.
        QTest::mouseClick(page.view(), Qt::LeftButton, {}, shown.tileOf(path));
        page.view()->setFocus();
        QTest::keyClick(page.view(), Qt::Key_Return);
        shown.wait();
        QVERIFY(page.view()->map()->checkpoint == *opened);
        QVERIFY(page.sidePanel() == nullptr);
        QCOMPARE(page.crumbs()->parts(),
                 (QStringList{QStringLiteral("experiment"), QStringLiteral("run-a"),
                              QStringLiteral("step-300")}));
        QTest::keyClick(page.view(), Qt::Key_Escape);
        shown.wait();
        QVERIFY(page.view()->map()->tree != nullptr);
        QCOMPARE(page.crumbs()->parts().last(), QStringLiteral("run-a"));
        QCOMPARE(page.controller().runs(), std::size_t{1});
        QTest::keyClick(page.view(), Qt::Key_Escape);
        shown.wait();
        QCOMPARE(page.crumbs()->parts(), QStringList{QStringLiteral("experiment")});
        QCOMPARE(page.controller().runs(), std::size_t{2});
        QVERIFY(test::saveScreenshots(page, QStringLiteral("space-runs")));
    }

    void aTileIsATensor() {
        RealFileOps ops;
        SpacePage page(ops);
        page.resize(800, 600);
        page.show();
        const CheckpointPtr checkpoint = test::makeTransformer(12);
        page.showCheckpoint(checkpoint);
        QTRY_VERIFY_WITH_TIMEOUT(page.isSettled() && page.view()->map(), kTimeoutMs);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("space-tensors")));
        QSignalSpy selected(&page, &Page::tensorSelected);
        const MapTile tile = page.view()->tiles()[page.view()->stops().front()];
        QTest::mouseClick(page.view(), Qt::LeftButton, {}, tile.rect.center().toPoint());
        QCOMPARE(selected.size(), 1);
        QCOMPARE(selected[0][1].value<TensorIndex>(), *page.view()->map()->tensorOf(tile.node));
        page.showTensor(checkpoint, TensorIndex(3));
        QCOMPARE(page.view()->selected(), std::optional(page.view()->map()->nodeOf[3]));
        QCOMPARE(selected.size(), 1);
        // The ten largest, the largest first; by name after a click on the header.
        QAbstractItemModel* rows = page.table()->model();
        QCOMPARE(rows->rowCount(), 10);
        page.resize(820, 800); // in a window of 1440 x 900
        QTRY_VERIFY(page.table()->viewport()->rect().contains(
            page.table()->visualRect(rows->index(9, 0)).adjusted(0, 0, -1, 0)));
        QCOMPARE(page.table()->verticalScrollBar()->maximum(), 0);
        page.resize(570, 435); // of 880 x 560
        pressSegment(page, QStringLiteral("Largest"));
        QTRY_VERIFY(!page.table()->visualRect(rows->index(3, 0)).isEmpty() &&
                    page.table()->viewport()->rect().contains(
                        page.table()->visualRect(rows->index(3, 0)).adjusted(0, 0, -1, 0)));
        page.resize(800, 600);
        QHeaderView* header = page.table()->header();
        const QString first = rows->index(0, 0).data().toString();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionPosition(0) + 20, header->height() / 2));
        QVERIFY(rows->index(0, 0).data().toString() <= rows->index(9, 0).data().toString());
        QVERIFY(!first.isEmpty());
    }

    /// The rows stay until those of the new map are known, and choose no tile of it.
    void theRowsOfAnotherMapChooseNothing() {
        const auto large = SpaceMap::make(test::makeTransformer(40), CancelToken());
        const auto small = SpaceMap::make(test::makeTransformer(1), CancelToken());
        QVERIFY(large && small);
        TreemapView view;
        SpaceTable table(view);
        QSignalSpy chosen(&table, &SpaceTable::nodeChosen);
        view.show(*large);
        table.showRows(false, nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!table.isRanking(), kTimeoutMs);
        const QAbstractItemModel& rows = *table.view()->model();
        QCOMPARE(rows.rowCount(), 10);
        table.view()->setCurrentIndex(rows.index(9, 0));
        QCOMPARE(chosen.size(), 1);
        view.show(*small);
        table.showRows(false, nullptr);
        QVERIFY(table.isRanking());
        for (int row = 0; row < rows.rowCount(); ++row) {
            table.view()->setCurrentIndex(rows.index(row, 0));
        }
        QCOMPARE(chosen.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!table.isRanking(), kTimeoutMs);
        table.view()->setCurrentIndex(rows.index(2, 0));
        QCOMPARE(chosen.size(), 2);
        QVERIFY(chosen[1][0].value<std::uint32_t>() < (*small)->nodes.size());
    }

    /// The map may be gone when its largest are known.
    void aMapThatIsDroppedHasNoRows() {
        TreemapView view;
        SpaceTable table(view);
        auto map = SpaceMap::make(test::makeTransformer(12), CancelToken());
        QVERIFY(map);
        view.show(std::move(*map));
        const std::weak_ptr<const SpaceMap> gone = view.map();
        table.showRows(false, nullptr);
        QVERIFY(table.isRanking());
        view.show(nullptr);
        for (int waited = 0; !gone.expired() && waited < kTimeoutMs; ++waited) {
            QThread::msleep(1); // without events: the worker frees the map after it has reported
        }
        QVERIFY(gone.expired());
        QVERIFY(table.isRanking());
        QTRY_VERIFY_WITH_TIMEOUT(!table.isRanking(), kTimeoutMs);
        QCOMPARE(table.view()->model()->rowCount(), 0);
    }

    void thePlanIsThatOfTheCommandLine() {
        const Runs runs;
        fs::create_directories(runs.below("exports"));
        fs::create_hard_link(runs.below("run-a/step-100/model.safetensors"),
                             runs.below("exports/kept.safetensors"));
        Shown shown(runs);
        for (const int last : {1, 2, 5}) {
            shown.chooseRule(shown.page.rules()->last(),
                             QStringLiteral("Keep the Last %1").arg(last));
            const QStringList rules{QStringLiteral("--keep-last"), QString::number(last)};
            auto expected = pruned(runs.below("run-a"), rules);
            const auto more = pruned(runs.below("run-b"), rules);
            expected.first.insert(more.first.begin(), more.first.end());
            QCOMPARE(planned(shown.page.controller()), expected.first);
            QCOMPARE(static_cast<double>(shown.page.controller().outcome()->freedBytes),
                     expected.second + more.second);
            QCOMPARE(expected.first.size(), last == 1 ? std::size_t{8} : last == 2 ? 6 : 0);
        }
        QCOMPARE(shown.page.rules()->moveButton()->text(), QStringLiteral("Nothing to Move"));
        QVERIFY(!shown.page.rules()->moveButton()->isEnabled());
    }

    void whatMovesIsHatched() {
        const Runs runs;
        Shown shown(runs);
        shown.chooseRule(shown.page.rules()->last(), QStringLiteral("Keep the Last 2"));
        TreemapView& view = *shown.page.view();
        QVERIFY(view.isHatched(view.map()->saves.at(runs.below("run-a/step-300"))));
        QVERIFY(!view.isHatched(view.map()->saves.at(runs.below("run-a/step-400"))));
        QCOMPARE(shown.page.rules()->moveButton()->text(), QStringLiteral("Move 6 Checkpoints…"));
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("space-plan")));
        std::unique_ptr<QWidget> panel(shown.page.sidePanel());
        panel->setParent(nullptr);
        panel->resize(290, 700);
        panel->show();
        QVERIFY(test::saveScreenshots(*panel, QStringLiteral("space-panel")));
        panel.release()->setParent(&shown.page);
    }

    void anAssumedDirectionWaitsForTheUser() {
        const Runs runs;
        std::string log = "step,loss\n";
        for (int step = 100; step <= 500; step += 100) {
            log += std::to_string(step) + "," + std::to_string(step == 300 ? 1 : 2) + "\n";
        }
        runs.write("run-a/metrics.csv", log);
        Shown shown(runs);
        RuleBar* rules = shown.page.rules();
        QVERIFY(!rules->confirmButton()->isVisible());
        shown.page.controller().setRules({.keepLast = 1, .keepBest = 1});
        shown.wait();
        QVERIFY(rules->confirmButton()->isVisible());
        QVERIFY2(rules->confirmButton()->toolTip().contains(QStringLiteral("assumed")),
                 qPrintable(rules->confirmButton()->toolTip()));
        const std::size_t before = shown.page.controller().outcome()->moved;
        rules->confirmButton()->click();
        shown.wait();
        QVERIFY(!rules->confirmButton()->isVisible());
        // of run-a all but the best and the latest
        QCOMPARE(shown.page.controller().outcome()->moved, before + 3);
    }

    void movesAndMovesBack() {
        const Runs runs;
        Shown shown(runs);
        const auto before = runs.content();
        shown.chooseRule(shown.page.rules()->last(), QStringLiteral("Keep the Last 1"));
        QTest::mouseClick(shown.page.rules()->moveButton(), Qt::LeftButton);
        QCOMPARE(runs.content(), before);
        QVERIFY(shown.page.strip()->isVisible());
        QVERIFY(shown.page.strip()->title().startsWith(QStringLiteral("Move 8 checkpoints (")));
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("space-confirm")));
        shown.press(QStringLiteral("Cancel"));
        QCOMPARE(runs.content(), before);
        QTest::mouseClick(shown.page.rules()->moveButton(), Qt::LeftButton);
        shown.press(QStringLiteral("Move"));
        QVERIFY(!fs::exists(runs.below("run-a/step-100")));
        QVERIFY(fs::exists(runs.below("run-a/step-500")));
        QVERIFY(fs::exists(runs.home() / "Trash/files/step-100/model.safetensors"));
        QVERIFY(shown.page.controller().canUndo());
        shown.open(runs); // the navigator lists it again
        QCOMPARE(shown.page.view()->map()->saves.size(), std::size_t{2});
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("space-moved")));
        shown.press(QStringLiteral("Undo"));
        QCOMPARE(runs.content(), before);
        QVERIFY(fs::is_empty(runs.home() / "Trash/files"));
        QVERIFY(fs::is_empty(runs.home() / "Trash/info"));
        QVERIFY(!shown.page.controller().canUndo());
    }

    void aQuestionIsAboutOnePlan() {
        const Runs runs;
        Shown shown(runs);
        Button* move = shown.page.rules()->moveButton();
        shown.chooseRule(shown.page.rules()->last(), QStringLiteral("Keep the Last 1"));
        QTest::mouseClick(move, Qt::LeftButton);
        QVERIFY(shown.page.strip()->isVisible());
        shown.chooseRule(shown.page.rules()->last(), QStringLiteral("Keep the Last 2"));
        QVERIFY(!shown.page.strip()->isVisible());
        QVERIFY(fs::exists(runs.below("run-a/step-100")));
        shown.page.controller().setRules({.keepLast = 1});
        shown.page.controller().stop();
        QVERIFY(!shown.page.controller().outcome());
        QVERIFY(!move->isEnabled());
        shown.page.controller().plan();
        shown.wait();
        QCOMPARE(shown.page.controller().outcome()->moved, std::size_t{8});
        QVERIFY(move->isEnabled());
    }

    void undoStaysWhileTensorsAreShown() {
        const Runs runs;
        Shown shown(runs);
        shown.chooseRule(shown.page.rules()->last(), QStringLiteral("Keep the Last 1"));
        QTest::mouseClick(shown.page.rules()->moveButton(), Qt::LeftButton);
        shown.press(QStringLiteral("Move"));
        shown.page.showCheckpoint(test::makeTransformer(2));
        shown.wait();
        QVERIFY(!shown.page.strip()->isVisible());
        shown.open(runs);
        QVERIFY(shown.page.strip()->isVisible());
        // Also after the message was closed.
        Button* undo = shown.page.rules()->undoButton();
        QVERIFY(!undo->isVisible());
        QTest::mouseClick(shown.page.strip()->findChild<QToolButton*>(), Qt::LeftButton);
        QVERIFY(!shown.page.strip()->isVisible());
        QVERIFY(undo->isVisible());
        QTest::mouseClick(undo, Qt::LeftButton);
        shown.wait();
        QVERIFY(fs::exists(runs.below("run-b/step-400/ema.safetensors")));
        QVERIFY(!undo->isVisible());
    }

    void whatChangedMeanwhileStays() {
        const Runs runs;
        Shown shown(runs);
        shown.chooseRule(shown.page.rules()->last(), QStringLiteral("Keep the Last 1"));
        runs.write("run-a/step-200/model.safetensors", "changed");
        QTest::mouseClick(shown.page.rules()->moveButton(), Qt::LeftButton);
        shown.press(QStringLiteral("Move"));
        QVERIFY(fs::exists(runs.below("run-a/step-200/model.safetensors")));
        QVERIFY(!fs::exists(runs.below("run-a/step-100")));
        QVERIFY(shown.page.strip()->title().contains(QStringLiteral("1 were not moved")));
        // Undo replaces nothing.
        runs.write("run-a/step-100/own.txt", "new");
        shown.press(QStringLiteral("Undo"));
        QCOMPARE(readText(runs.below("run-a/step-100/own.txt")), std::string("new"));
        QVERIFY(!fs::exists(runs.below("run-a/step-100/model.safetensors")));
        QVERIFY(fs::exists(runs.below("run-a/step-300/model.safetensors")));
        fs::remove_all(runs.below("run-a/step-100"));
        shown.press(QStringLiteral("Undo"));
        QVERIFY(fs::exists(runs.below("run-a/step-100/model.safetensors")));
    }

    void nothingOneFileAndRightToLeft() {
        const Runs runs;
        fs::create_directories(runs.below("empty"));
        Shown shown(runs);
        shown.show(runs.below("empty"));
        QTRY_VERIFY_WITH_TIMEOUT(shown.page.isSettled(), kTimeoutMs);
        const fs::path file = runs.below("run-a/step-500/model.safetensors");
        shown.show(file);
        shown.wait();
        QVERIFY(!shown.page.rules()->isVisible());
        QApplication::setLayoutDirection(Qt::RightToLeft);
        shown.open(runs);
        QVERIFY(test::saveScreenshots(shown.page, QStringLiteral("space-rtl")));
        const QRectF first = shown.page.view()->tiles()[1].rect;
        QVERIFY(first.right() > shown.page.view()->width() - 2);
        QApplication::setLayoutDirection(Qt::LeftToRight);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::SpacePageTest)
#include "space_page_test.moc"
