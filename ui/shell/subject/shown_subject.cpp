// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/subject/shown_subject.h"

#include "core/formats/format.h"
#include "core/runs/scan/far_host.h"
#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/subject_facts.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"

#include <QAction>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kSlowMs = 200;

} // namespace

ShownSubject::ShownSubject(WindowParts& parts, Deployment& deployment, HistoryFollower& follower)
    : m_parts(parts), m_deployment(deployment), m_follower(follower) {
    const Navigator* navigator = parts.navigator;
    connect(navigator, &Navigator::checkpointChosen, this, &ShownSubject::choose);
    connect(navigator, &Navigator::roleChosen, this, &ShownSubject::choose);
    connect(navigator, &Navigator::runChosen, this, &ShownSubject::chooseRun);
    connect(navigator, &Navigator::experimentChosen, this, &ShownSubject::chooseExperiment);
    connect(navigator, &Navigator::loadingChanged, this, [this, navigator] {
        if (!navigator->isLoading(navigator->currentExperiment())) {
            showRun(); // steps and states are known now
        }
    });
    connect(&m_opener, &CheckpointOpener::opened, this, &ShownSubject::showOpened);
    connect(&m_opener, &CheckpointOpener::failed, this,
            [this](const auto& path, const auto& error) {
                if (m_checkpoint != nullptr && path == m_path && isOnLostHost(path)) {
                    m_slow.stop(); // what was read of it stays
                    Q_EMIT m_parts.changed();
                    return;
                }
                leave();
                m_parts.pages.inspector->clear();
                Q_EMIT failed(path, error);
            });
    connect(&m_bestOpener, &CheckpointOpener::opened, this,
            [this](const auto& path, const CheckpointPtr& checkpoint, const auto&) {
                if (path == m_best) {
                    m_isBestPlanned = true;
                    m_deployment.setCheckpoint(checkpoint, runFolderOf(path));
                }
            });
    for (const auto listed : {&Navigator::experimentListed, &Navigator::experimentExamined}) {
        connect(navigator, listed, this, &ShownSubject::checkPresence);
    }
    m_slow.setSingleShot(true);
    connect(&m_slow, &QTimer::timeout, this, [this] {
        if (m_opener.isOpening()) {
            m_parts.workspace->showQuiet(tr("Reading the index…"));
        }
    });
    connect(parts.actions.refresh, &QAction::triggered, this, [this] { reload(); });
    connect(parts.actions.refresh, &QAction::triggered, &m_follower, &HistoryFollower::reload);
}

std::filesystem::path ShownSubject::checkpointPath() const {
    return m_checkpoint != nullptr ? m_path : std::filesystem::path();
}

std::optional<RunPlace> ShownSubject::run() const {
    const NavigatorModel& model = *m_parts.navigator->model();
    return model.runAt(m_checkpoint != nullptr ? model.find(m_path) : model.findRun(m_path));
}

bool ShownSubject::isCheckpointVisible() const {
    return m_checkpoint != nullptr && m_parts.isWorking();
}

bool ShownSubject::isDeployable() const {
    return isCheckpointVisible() || (m_isBestPlanned && m_parts.isWorking());
}

QString ShownSubject::bestName() const {
    if (!m_isBestPlanned || m_checkpoint != nullptr) {
        return {};
    }
    const QModelIndex row = m_parts.navigator->model()->find(m_best);
    return row.isValid() ? row.data().toString() : text::fromPath(m_best.filename());
}

std::filesystem::path ShownSubject::runFolderOf(const std::filesystem::path& checkpoint) {
    const std::filesystem::path folder = checkpoint.parent_path();
    return folder.filename() == "checkpoints" ? folder.parent_path() : folder;
}

/// A run is deployed by its best checkpoint, which is opened without being shown.
void ShownSubject::planBest(const RunPlace& run) {
    const auto& all = run.run.checkpoints;
    const auto best = std::ranges::find(all, true, &ScannedCheckpoint::best);
    const std::filesystem::path path = best == all.end() ? std::filesystem::path() : best->path;
    if (path == m_best) {
        return;
    }
    m_best = path;
    m_bestOpener.cancel();
    if (std::exchange(m_isBestPlanned, false)) {
        m_deployment.clear();
    }
    if (!path.empty()) {
        m_bestOpener.open(path);
    }
}

void ShownSubject::choose(const std::filesystem::path& checkpoint) {
    if (m_checkpoint && checkpoint == m_path && m_parts.workspace->isShowingPages()) {
        return;
    }
    m_slow.start(kSlowMs);
    m_opener.open(checkpoint);
}

void ShownSubject::goTo(const std::filesystem::path& checkpoint) {
    const QModelIndex index = m_parts.navigator->model()->find(checkpoint);
    if (index.isValid()) {
        m_parts.navigator->view()->setCurrentIndex(index);
    } else { // its experiment was closed meanwhile
        choose(checkpoint);
    }
}

void ShownSubject::forgetGone() {
    if (std::exchange(m_isGone, false)) {
        Q_EMIT goneChanged(m_path, false);
    }
}

void ShownSubject::leave() {
    m_slow.stop();
    m_opener.cancel();
    m_bestOpener.cancel();
    m_best.clear();
    m_isBestPlanned = false;
    m_checkpoint.reset();
    forgetGone();
    m_path.clear();
    m_deployment.clear();
    Q_EMIT left();
}

void ShownSubject::reload(const std::filesystem::path& otherwise) {
    m_opener.forgetAll();
    m_bestOpener.forgetAll();
    m_best.clear(); // of a shown run: opened again
    m_parts.navigator->refresh();
    const std::filesystem::path& path = m_checkpoint != nullptr ? m_path : otherwise;
    if (!path.empty()) {
        m_opener.open(path);
    }
    Q_EMIT m_parts.changed();
}

/// After a listing: a folder that does not list the checkpoint any more may have lost it.
void ShownSubject::checkPresence() {
    if (m_checkpoint == nullptr) {
        return;
    }
    m_presence.start([path = m_path](const CancelToken&) -> Result<bool> { return mayExist(path); },
                     [this, path = m_path](const Result<bool>& exists) {
                         if (exists && m_checkpoint != nullptr && path == m_path &&
                             *exists == m_isGone) {
                             m_isGone = !*exists;
                             m_deployment.replan();
                             Q_EMIT goneChanged(path, m_isGone);
                         }
                     });
}

void ShownSubject::chooseRun(const RunPlace& run) {
    leave();
    m_path = run.path;
    m_parts.workspace->showSubject(Page::Subject::Run, m_parts.pages.summary);
    m_parts.pages.space->showRun(run);
    showRun();
    Q_EMIT shown();
}

void ShownSubject::chooseExperiment(const Experiment& experiment) {
    leave();
    m_path = experiment.path;
    m_parts.workspace->showSubject(Page::Subject::Experiment, m_parts.pages.runs);
    m_parts.pages.space->showExperiment(m_parts.navigator->listing(experiment.path));
    m_parts.pages.inspector->showFacts(text::fromCore(experiment.name),
                                       text::fromPath(experiment.path.parent_path()),
                                       experimentFacts(experiment), listingProblems(experiment));
    Q_EMIT shown();
}

void ShownSubject::showOpened(const std::filesystem::path& path, const CheckpointPtr& checkpoint,
                              const CheckpointSumsPtr& sums) {
    m_slow.stop();
    m_bestOpener.cancel();
    m_best.clear();
    m_isBestPlanned = false;
    forgetGone();
    m_checkpoint = checkpoint;
    m_path = path;
    m_parts.pages.inspector->showCheckpoint(checkpoint);
    m_sums = sums;
    m_parts.navigator->setOpened(path, *sums);
    m_parts.workspace->showCheckpoint(checkpoint);
    m_deployment.setCheckpoint(checkpoint, runFolderOf(path));
    showRun();
    Q_EMIT shown();
    announce(m_parts.window,
             tr("%1: %2").arg(text::fromPath(path.filename()), m_parts.status->counts()));
}

void ShownSubject::showRun() {
    std::optional<RunPlace> place = run();
    const PageSet& pages = m_parts.pages;
    const std::filesystem::path checkpoint = checkpointPath();
    if (!place) {
        if (checkpoint.empty()) {
            return;
        }
        // not listed any more
        place = RunPlace{checkpoint.parent_path(), checkpoint.parent_path(), {}, {}};
    }
    place->mark = m_parts.navigator->model()->marks().slotOf(place->path);
    pages.history->showRun(*place, checkpoint);
    if (checkpoint.empty()) {
        planBest(*place);
        pages.summary->showRun(*place);
        pages.inspector->showFacts(place->name, text::fromPath(place->path.parent_path()),
                                   runFacts(*place), {});
    } else {
        pages.summary->showRun(*place, checkpoint);
        pages.inspector->setDecided(checkpointFacts(place->run, checkpoint));
    }
    pages.diff->showRun(place->run);
    m_follower.follow(*place);
    Q_EMIT runShown();
}

QString ShownSubject::title() const {
    QStringList names;
    if (m_checkpoint != nullptr) {
        const QModelIndex row = m_parts.navigator->model()->find(m_path);
        names << (row.isValid() ? row.data().toString() : text::fromPath(m_path.filename()));
    }
    if (const std::optional<RunPlace> place = run()) {
        names << place->name;
    } else if (m_checkpoint == nullptr && !m_path.empty()) {
        names << text::fromPath(m_path.filename());
    }
    QString title = names.join(QStringLiteral(", "));
    title.replace(QStringLiteral("[*]"), QStringLiteral("[*][*]")); // Qt's mark of a modified file
    return title.isEmpty() ? tr("Cairn") : tr("%1 — Cairn").arg(title);
}

} // namespace cairn::ui
