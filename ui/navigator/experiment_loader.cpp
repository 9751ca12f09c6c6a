// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/experiment_loader.h"

#include "core/runs/folder_watch.h"
#include "core/runs/index_cache.h"
#include "core/runs/run_table.h"

#include <QElapsedTimer>
#include <QMetaObject>

#include <algorithm>
#include <mutex>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kShowMs = 200;       // how often what was found out is shown
constexpr int kLeastAgainMs = 500; // between two listings
constexpr int kUnfinishedMs = 3000;
constexpr int kShare = 10; // a listing may take this part of the time

bool isUnfinished(const ScannedCheckpoint& each) {
    return each.state == CheckpointState::BeingWritten;
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

struct ExperimentLoader::Shelf {
    explicit Shelf(const std::filesystem::path& path)
        : cache(IndexCache::ofUser()), facts(cache, path) {}
    IndexCache cache;
    FactsShelf facts;
    std::mutex mutex; ///< two workers meet here when load() supersedes one
};

/// The watch calls on a thread of its own; what it calls may have gone by then.
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
        const int wait = std::max(kLeastAgainMs, static_cast<int>(m_tookMs) * kShare);
        if (!m_again.isActive() || m_again.remainingTime() > wait) {
            m_again.start(wait);
        }
    }
}

void ExperimentLoader::take(const Experiment& experiment) {
    m_last = std::make_shared<const Experiment>(experiment);
}

void ExperimentLoader::start(bool quiet) {
    m_quiet = quiet;
    m_changed = false;
    m_again.stop();
    const auto before = m_last;
    m_runner.start(
        [this, before, quiet, path = m_path, shelf = m_shelf, watch = m_watch](
            const CancelToken& cancel, const AsyncRunner::Post& post) mutable -> Result<void> {
            QElapsedTimer clock;
            clock.start();
            CAIRN_TRY(Experiment experiment, scanExperiment(path, cancel));
            const qint64 took = clock.elapsed();
            if (before != nullptr) {
                keepKnown(experiment, *before);
            }
            const bool same = before != nullptr && sameListing(*before, experiment) &&
                              std::ranges::none_of(experiment.runs, [](const ScannedRun& run) {
                                  return std::ranges::any_of(run.checkpoints, isUnfinished);
                              });
            watch->watch.watch(foldersOf(experiment));
            if (quiet && same) {
                post([this, took] { m_tookMs = took; });
                return {};
            }
            post([this, took, experiment] {
                m_tookMs = took;
                take(experiment);
                Q_EMIT listed(experiment);
            });
            if (shelf == nullptr) {
                shelf = std::make_shared<Shelf>(path); // reads the cache: not on the GUI thread
                post([this, shelf] { m_shelf = shelf; });
            }
            const auto show = [this, &post, &experiment] {
                post([this, experiment] {
                    take(experiment);
                    Q_EMIT examined(experiment);
                });
            };
            const std::scoped_lock lock(shelf->mutex);
            clock.restart();
            for (ScannedRun& run : experiment.runs) {
                // The newest is what is looked at first.
                for (auto each = run.checkpoints.rbegin(); each != run.checkpoints.rend(); ++each) {
                    if (each->isLink()) {
                        continue;
                    }
                    CAIRN_TRY(const CheckpointFacts facts, shelf->facts.examine(*each, cancel));
                    applyFacts(*each, facts);
                    if (clock.elapsed() >= kShowMs) {
                        show();
                        clock.restart();
                    }
                }
                sortCheckpoints(run);
            }
            shelf->facts.save();
            show();
            watch->watch.watch(foldersOf(experiment));
            if (!experiment.isCheckpoint) {
                CAIRN_TRY(const RunTable table, readRunTable(experiment, shelf->cache, cancel));
                show();
            }
            return {};
        },
        [this](const Result<void>& done) { ended(done); });
}

void ExperimentLoader::ended(const Result<void>& done) {
    const bool quiet = std::exchange(m_quiet, false);
    if (done) {
        Q_EMIT finished();
    } else if (!quiet) {
        Q_EMIT failed(done.error());
        return;
    }
    const auto holdsUnfinished = [](const ScannedRun& run) {
        return std::ranges::any_of(run.checkpoints, isUnfinished);
    };
    if (m_changed) {
        changedOnDisk();
    } else if (m_last != nullptr && std::ranges::any_of(m_last->runs, holdsUnfinished)) {
        m_again.start(std::max(kUnfinishedMs, static_cast<int>(m_tookMs) * kShare));
    }
}

} // namespace cairn::ui
