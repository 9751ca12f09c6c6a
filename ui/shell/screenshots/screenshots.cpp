// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screenshots/screenshots.h"

#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/diff/partner_chooser.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/summary/tool_card.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshots/screenshots_camera.h"
#include "ui/shell/screenshots/screenshots_jobs.h"
#include "ui/shell/screenshots/screenshots_runs.h"
#include "ui/widgets/link_row.h"

#include <QAction>
#include <QDir>
#include <QTextStream>
#include <QTreeView>

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::ui {
namespace {

using namespace pictures;

constexpr int kJobMs = 60'000;
const QSize kSize(1440, 900);
constexpr QSize kSmallSize(880, 560);

/// The Diff page against the first checkpoint that it offers, with its most changed tensor.
void diffWithFirst(DiffPage& page) {
    const auto offered = page.findChild<PartnerChooser*>()->findChildren<LinkRow*>();
    if (offered.isEmpty()) {
        return;
    }
    offered.front()->click();
    waitUntil([&page] { return page.document() && page.document()->hasValues(); }, kSettleMs);
    pause(kFillMs);
    page.goToDifference(true);
    pause(kFillMs);
}

/// Every page on the checkpoint that is shown, except those of several runs; or `only` one.
bool takePages(Camera& camera, MainWindow& window, const QString& only) {
    const PageSet& pages = window.pages();
    bool written = true;
    for (Page* page : pages.all) {
        const QString name = QString::fromLatin1(page->info().id);
        const bool ofRuns = page == pages.runs || page == pages.compare; // takeRuns…() take these
        if (only.isEmpty() ? ofRuns : name != only) {
            continue;
        }
        window.workspace()->setCurrentTab(window.workspace()->tabOf(page));
        pause(kFillMs);
        if (page == pages.tensors && !window.checkpoint()->tensors().empty()) {
            page->showTensor(window.checkpoint(), TensorIndex(0));
            Q_EMIT page->tensorSelected(window.checkpoint(), TensorIndex(0));
            pause(kFillMs);
        }
        if (page == pages.diff) {
            diffWithFirst(*pages.diff);
        }
        written = camera.take(name) && written;
    }
    return written;
}

/// Marks the run with the most checkpoints as A, and as B the one with the most similar name;
/// false: there are not two runs.
bool markTwoRuns(Navigator& navigator) {
    const NavigatorModel& model = *navigator.model();
    std::vector<std::pair<std::size_t, QModelIndex>> runs;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex root = model.index(row, 0);
        for (int child = 0; child < model.rowCount(root); ++child) {
            const QModelIndex index = model.index(child, 0, root);
            if (model.kindOf(index) == NavigatorModel::Kind::Run) {
                runs.emplace_back(model.runAt(index)->run.checkpoints.size(), index);
            }
        }
    }
    std::ranges::stable_sort(runs, std::ranges::greater(),
                             [](const auto& run) { return run.first; });
    if (runs.size() < 2) {
        return false;
    }
    const std::string name = model.runAt(runs[0].second)->run.name;
    const auto commonPrefix = [&](const std::pair<std::size_t, QModelIndex>& run) {
        const std::string other = model.runAt(run.second)->run.name;
        return std::ranges::mismatch(name, other).in1 - name.begin();
    };
    std::ranges::stable_sort(runs.begin() + 1, runs.end(), std::ranges::greater(), commonPrefix);
    const QModelIndex shown = navigator.view()->currentIndex();
    navigator.clearMarks(); // the Runs page marks the best ones
    for (const std::size_t which : {0U, 1U}) {
        navigator.view()->setCurrentIndex(runs[which].second);
        navigator.toggleMark();
    }
    navigator.view()->setCurrentIndex(shown);
    return true;
}

/// History and Compare in a small and in a large window, two runs compared.
bool takeRuns(Camera& camera, MainWindow& window) {
    if (!markTwoRuns(*window.navigator())) {
        return true;
    }
    ComparePage& compare = *window.pages().compare;
    waitUntil([&] { return window.isSettled() && window.checkpoint(); }, kSettleMs);
    waitUntil([&] { return compare.isSettled() && compare.showsResult(); }, kSettleMs);
    waitUntil(
        [&] {
            return compare.weights().state() != WeightDistance::State::Reading &&
                   compare.weights().state() != WeightDistance::State::Estimating;
        },
        kSettleMs);
    bool written = true;
    const std::vector<std::pair<QSize, QString>> sizes{
        {kSize, QString()},
        {kSmallSize, QStringLiteral("-small")},
        {QSize(1920, 1080), QStringLiteral("-large")}};
    for (const auto& [size, suffix] : sizes) {
        window.resize(size);
        for (const auto& [page, name] : std::vector<std::pair<Page*, QString>>{
                 {&compare, QStringLiteral("compare")},
                 {window.pages().history, QStringLiteral("history-marked")},
                 {window.pages().summary, QStringLiteral("summary-marked")}}) {
            window.workspace()->setCurrentTab(window.workspace()->tabOf(page));
            pause(kFillMs);
            written = camera.take(name + suffix) && written;
        }
    }
    window.resize(kSize);
    window.navigator()->clearMarks();
    return written;
}

/// A run and a folder as they are selected, and the answers of the tools.
bool takeSelections(Camera& camera, MainWindow& window) {
    QTreeView* view = window.navigator()->view();
    const QPersistentModelIndex shown = view->currentIndex();
    window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().summary));
    window.actions().check->trigger();
    window.actions().hash->trigger();
    waitUntil(
        [&] {
            return std::ranges::none_of(window.pages().summary->tools()->cards(),
                                        &ToolCard::isRunning);
        },
        kSettleMs);
    bool written = camera.take(QStringLiteral("summary-tools"));
    const QPersistentModelIndex run = shown.parent();
    if (run.isValid()) {
        view->setCurrentIndex(run);
        pause(kFillMs);
        written = camera.take(QStringLiteral("summary-run")) && written;
        window.resize(kSmallSize);
        pause(kFillMs);
        written = camera.take(QStringLiteral("summary-run-small")) && written;
        window.resize(kSize);
    }
    view->setCurrentIndex(window.navigator()->model()->index(0, 0));
    pause(kFillMs);
    written = camera.take(QStringLiteral("folder")) && written;
    const SpacePage* space = window.pages().space;
    window.workspace()->setCurrentTab(window.workspace()->tabOf(space));
    for (const QSize& size : {kSmallSize, kSize}) {
        window.resize(size);
        waitUntil([space] { return space->isSettled(); }, kSettleMs);
        pause(kFillMs);
        written = camera.take(QStringLiteral("space-folder-%1").arg(size.width())) && written;
    }
    view->setCurrentIndex(shown);
    waitUntil([&] { return window.isSettled() && window.checkpoint(); }, kSettleMs);
    return written;
}

/// What pages show after something was chosen, marked or run, jobs, and dialogs.
bool takeStates(Camera& camera, MainWindow& window, bool consolidate) {
    bool written = takeSelections(camera, window);
    written = takeRuns(camera, window) && written;
    const QModelIndex shown = window.navigator()->view()->currentIndex();
    written = takeRunsPage(window, [&camera](const QString& name) { return camera.take(name); }) &&
              written;
    window.navigator()->view()->setCurrentIndex(shown);
    waitUntil([&] { return window.isSettled() && window.checkpoint(); }, kSettleMs);
    std::filesystem::path deployed;
    if (consolidate && window.deployment().isReady()) {
        deployed = window.deployment().planned()->plan.output / "model.safetensors";
        window.actions().consolidate->trigger();
        waitUntil([&] { return window.jobs().active() == 0 && window.isSettled(); }, kJobMs);
        pause(kFillMs);
        written = camera.take(QStringLiteral("consolidate-done")) && written;
        written = takePopover(camera, window) && written;
    }
    written = takeJobs(camera, window) && written;
    written = takeBroken(camera, window) && written;
    window.commandPalette()->popUp();
    camera.setPopup(window.commandPalette());
    written = camera.take(QStringLiteral("palette")) && written;
    window.commandPalette()->hide();
    if (!deployed.empty()) {
        written = takeHeaderEdit(camera, window, deployed) && written;
    }
    return written;
}

} // namespace

std::optional<int> writeScreenshots(MainWindow& window, const std::filesystem::path& experiment,
                                    const QString& folder, const ScreenshotChoice& choice) {
    QTextStream complain(stderr);
    if (!QDir().mkpath(folder)) {
        complain << "cairn: Cannot create the folder: " << folder << Qt::endl;
        return std::nullopt;
    }
    window.resize(kSize);
    window.QWidget::show();
    Camera camera(window, folder);
    const bool every = choice.page.isEmpty();
    bool written = !every || camera.take(QStringLiteral("start"));
    window.openPaths({experiment});
    if (!waitUntil([&] { return window.isSettled() && window.checkpoint(); }, kSettleMs)) {
        complain << "cairn: No checkpoint could be shown" << Qt::endl;
        return std::nullopt;
    }
    written = takePages(camera, window, choice.page) && written;
    written = (!every || takeStates(camera, window, choice.consolidate)) && written;
    if (!written) {
        complain << "cairn: Cannot write a screenshot to " << folder << Qt::endl;
        return std::nullopt;
    }
    return camera.count();
}

} // namespace cairn::ui
