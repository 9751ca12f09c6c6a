// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/experiment_loader.h"

#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/facts_cache.h"
#include "core/runs/facts/index_cache.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/scan/far_host.h"
#include "core/runs/scan/folder_watch.h"
#include "core/runs/scan/reuse_unchanged.h"
#include "core/runs/table/run_table.h"
#include "ui/bridge/release_on_worker.h"

#include <QElapsedTimer>
#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kShowMs = 200;      // how often new results are shown
constexpr int kMinRelistMs = 500; // between two listings
constexpr int kUnfinishedMs = 3000;
constexpr int kRetryMs = 5000; // after which a folder that could not be listed is tried again
constexpr int kShare = 10;     // the share of the time that listings may use

bool isUnfinished(const ScannedCheckpoint& each) {
    return each.state == CheckpointState::BeingWritten;
}

bool hasUnfinished(const Experiment& experiment) {
    return std::ranges::any_of(experiment.runs, [](const ScannedRun& run) {
        return std::ranges::any_of(run.checkpoints, isUnfinished);
    });
}

/// The results from the runs' histories are the same. REQUIRES: sameListing().
bool sameScores(const Experiment& a, const Experiment& b) {
    const auto sameCheckpoint = [](const ScannedCheckpoint& x, const ScannedCheckpoint& y) {
        const bool both = x.score && y.score;
        return x.best == y.best && x.score.has_value() == y.score.has_value() &&
               (!both || *x.score == *y.score || (std::isnan(*x.score) && std::isnan(*y.score)));
    };
    return std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                      [&](const ScannedRun& x, const ScannedRun& y) {
                          return x.headline == y.headline && x.direction == y.direction &&
                                 x.bestIs == y.bestIs && x.bestSource == y.bestSource &&
                                 std::equal(x.checkpoints.begin(), x.checkpoints.end(),
                                            y.checkpoints.begin(), y.checkpoints.end(),
                                            sameCheckpoint);
                      });
}

/// Where new checkpoints appear, and those that are not finished.
std::vector<std::filesystem::path> foldersOf(const Experiment& experiment) {
    std::vector<std::filesystem::path> folders = experiment.folders;
    for (const ScannedRun& run : experiment.runs) {
        for (const ScannedCheckpoint& each : run.checkpoints) {
            if (each.files > 1 && each.state != CheckpointState::Complete) {
                folders.push_back(each.path);
            }
        }
    }
    return folders;
}

} // namespace

struct ExperimentLoader::Stored {
    explicit Stored(const std::filesystem::path& path)
        : cache(IndexCache::ofUser()), facts(cache, path) {}
    IndexCache cache;
    FactsCache facts;
    std::mutex mutex; ///< two workers use this at the same time when load() supersedes one
};

/// The watch calls this on its own thread; the loader may have been destroyed by then.
struct ExperimentLoader::Watch {
    struct Target {
        std::mutex mutex;
        ExperimentLoader* loader = nullptr;
    };
    explicit Watch(ExperimentLoader* loader)
        : target(std::make_shared<Target>()), watch([to = target] {
              const std::scoped_lock lock(to->mutex);
              if (to->loader != nullptr) {
                  QMetaObject::invokeMethod(to->loader, &ExperimentLoader::changedOnDisk,
                                            Qt::QueuedConnection);
              }
          }) {
        target->loader = loader;
    }
    std::shared_ptr<Target> target;
    FolderWatch watch;
};

/// One listing, on a pool thread.
struct ExperimentLoader::Work {
    ExperimentLoader* loader; ///< only used as the target of posted calls
    std::filesystem::path path;
    ExperimentPtr before;
    bool quiet = false;
    std::shared_ptr<Stored> stored;
    std::shared_ptr<Watch> watch;
    const CancelToken* cancel = nullptr;
    const AsyncRunner::Post* post = nullptr;
    Experiment experiment = {};
    QElapsedTimer clock = {};
    std::shared_ptr<std::atomic<bool>> isTaken = std::make_shared<std::atomic<bool>>(true);

    /// The same checkpoints as before: there is nothing to be examined.
    [[nodiscard]] bool isSame() const {
        return before != nullptr && sameListing(*before, experiment) && !hasUnfinished(experiment);
    }

    /// Folders that were not watched until now may have changed since they were listed.
    void follow() {
        if (watch->watch.watch(foldersOf(experiment)) > 0) {
            (*post)([to = loader] { to->m_changed = true; });
        }
    }

    void show(void (ExperimentLoader::*signal)(const Experiment&)) const {
        const ExperimentPtr known = sharedForGui(Experiment(experiment));
        *isTaken = false;
        (*post)([to = loader, known, signal, taken = isTaken,
                 rows = std::make_shared<NavigatorRows>(known)] {
            to->take(known, rows);
            Q_EMIT(to->*signal)(*known);
            *taken = true;
        });
    }

    Result<void> run() {
        clock.start();
        CAIRN_TRY(experiment, scanExperiment(path, *cancel));
        if (before != nullptr) {
            reuseUnchanged(experiment, *before);
        }
        const bool same = isSame();
        follow();
        if (!quiet || !same) {
            show(&ExperimentLoader::listed);
        }
        if (stored == nullptr) {
            stored = std::make_shared<Stored>(path); // reads the cache: not on the GUI thread
            (*post)([to = loader, made = stored] { to->m_stored = made; });
        }
        if (!quiet || !same) {
            CAIRN_CHECK(examine());
            show(&ExperimentLoader::examined);
            follow();
        }
        const std::scoped_lock lock(stored->mutex);
        if (!experiment.isCheckpoint) {
            CAIRN_TRY(const RunTable table, readRunTable(experiment, stored->cache, *cancel));
            if (!quiet || !same || !sameScores(*before, experiment)) {
                show(&ExperimentLoader::examined);
            }
        }
        return {};
    }

    Result<void> examine() {
        const std::scoped_lock lock(stored->mutex);
        QElapsedTimer shown;
        shown.start();
        for (ScannedRun& run : experiment.runs) {
            // The newest is what users open first.
            for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
                if (each->isLink()) {
                    continue;
                }
                CAIRN_TRY(const CheckpointFacts facts, stored->facts.examine(*each, *cancel));
                applyFacts(*each, facts);
                if (shown.elapsed() >= kShowMs && *isTaken) {
                    show(&ExperimentLoader::examined);
                    shown.restart();
                }
            }
            settleRun(run);
        }
        stored->facts.save();
        return {};
    }
};

ExperimentLoader::ExperimentLoader(std::filesystem::path path, QObject* parent)
    : QObject(parent), m_path(std::move(path)), m_watch(std::make_shared<Watch>(this)) {
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, [this] { start(true); });
}

ExperimentLoader::~ExperimentLoader() {
    const std::scoped_lock lock(m_watch->target->mutex);
    m_watch->target->loader = nullptr;
}

void ExperimentLoader::load() {
    start(false);
}

void ExperimentLoader::changedOnDisk() {
    if (m_runner.isRunning()) {
        m_changed = true;
    } else if (m_last != nullptr) {
        const int wait = std::max(kMinRelistMs, static_cast<int>(m_tookMs) * kShare);
        if (!m_again.isActive() || m_again.remainingTime() > wait) {
            m_again.start(wait);
        }
    }
}

void ExperimentLoader::take(const ExperimentPtr& experiment, std::shared_ptr<NavigatorRows> rows) {
    m_last = experiment;
    m_rows = std::move(rows);
}

void ExperimentLoader::start(bool quiet) {
    m_quiet = quiet;
    m_changed = false;
    m_again.stop();
    m_runner.start(
        [work = Work{this, m_path, m_last, quiet, m_stored, m_watch}](
            const CancelToken& cancel, const AsyncRunner::Post& post) mutable -> Result<void> {
            work.cancel = &cancel;
            work.post = &post;
            const Result<void> done = work.run();
            post([to = work.loader, took = work.clock.elapsed()] { to->m_tookMs = took; });
            return done;
        },
        [this](const Result<void>& done) { ended(done); });
}

void ExperimentLoader::ended(const Result<void>& done) {
    const bool quiet = std::exchange(m_quiet, false);
    if (!done && m_last != nullptr && isOnLostHost(m_path)) {
        Q_EMIT unreachable();
        return;
    }
    if (!done && !quiet) {
        Q_EMIT failed(done.error());
        return;
    }
    if (done) {
        Q_EMIT finished();
    }
    if (!done) { // the last listing stays until the folder can be listed again
        m_again.start(std::max(kRetryMs, static_cast<int>(m_tookMs) * kShare));
    } else if (m_changed) {
        changedOnDisk();
    } else if (m_last != nullptr && hasUnfinished(*m_last)) {
        m_again.start(std::max(kUnfinishedMs, static_cast<int>(m_tookMs) * kShare));
    }
}

} // namespace cairn::ui
