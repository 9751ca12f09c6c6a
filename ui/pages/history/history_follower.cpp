// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history/history_follower.h"

#include "core/runs/scan/far_host.h"
#include "core/runs/table/run_settings.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kPollMs = 2000;
constexpr int kTimeoutMs = 4; ///< times what reading takes, between two readings
constexpr qint64 kGrowingMs = 60'000;
constexpr std::size_t kMaxFiles = 5000; ///< of a store that are checked

std::int64_t changedAt(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto time = std::filesystem::last_write_time(path, ignored);
    return ignored ? 0
                   : static_cast<std::int64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                   time.time_since_epoch())
                                                   .count());
}

} // namespace

HistoryFollower::HistoryFollower(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HistoryFollower::poll);
}

HistoryFollower::~HistoryFollower() = default;

void HistoryFollower::follow(const RunPlace& place) {
    if (place.path == m_run && place.root == m_root && m_state != State::Failed) {
        setCheckpoints(place.run);
        return;
    }
    clear();
    m_growing = std::make_shared<GrowingHistories>();
    m_run = place.path;
    m_root = place.root;
    m_checkpoints = place.run;
    read();
}

void HistoryFollower::clear() {
    m_reader.cancel();
    m_poller.cancel();
    m_joiner.cancel();
    m_timer.stop();
    m_run.clear();
    m_root.clear();
    m_growing.reset();
    m_files.reset();
    m_history.reset();
    m_checkpoints = {};
    m_error.reset();
    m_signature.clear();
    m_lastGrowth.invalidate();
    m_state = State::Empty;
    Q_EMIT changed();
}

void HistoryFollower::setCheckpoints(const ScannedRun& run) {
    const auto sameState = [](const ScannedCheckpoint& a, const ScannedCheckpoint& b) {
        return a.path == b.path && a.step == b.step && a.epoch == b.epoch && a.metrics == b.metrics;
    };
    if (std::ranges::equal(run.checkpoints, m_checkpoints.checkpoints, sameState)) {
        return;
    }
    m_checkpoints = run;
    if (!m_files) {
        return; // they join when the files were read
    }
    m_joiner.start([files = m_files,
                    run](const CancelToken&) -> Result<HistoryPtr> { return join(files, run); },
                   [this](Result<HistoryPtr> joined) {
                       if (joined && m_state == State::Ready) {
                           m_history = *joined;
                           Q_EMIT changed();
                       }
                   });
}

HistoryPtr HistoryFollower::join(const HistoryPtr& files, const ScannedRun& checkpoints) {
    auto joined = std::make_shared<RunHistory>(*files);
    addCheckpointRecords(*joined, checkpoints);
    return joined;
}

void HistoryFollower::reload() {
    if (!m_run.empty()) {
        read();
    }
}

Result<HistoryFollower::LookPtr> HistoryFollower::look(const std::filesystem::path& run,
                                                       const std::filesystem::path& root,
                                                       const CancelToken& cancel) {
    CAIRN_TRY(FoundHistories found, findHistories(run, root, cancel));
    Signature signature = signatureOf(found, cancel);
    return std::make_shared<Look>(Look{std::move(found), std::move(signature)});
}

HistoryFollower::Signature HistoryFollower::signatureOf(const FoundHistories& found,
                                                        const CancelToken& cancel) {
    Signature signature;
    for (const FoundHistory& history : found.found) {
        const std::filesystem::path& path = history.candidate.path;
        if (!history.candidate.isFolder) {
            signature.emplace_back(path.string(), history.candidate.size, changedAt(path));
            continue;
        }
        std::error_code ignored;
        std::filesystem::recursive_directory_iterator each(path, ignored);
        for (std::size_t count = 0;
             !ignored && each != std::filesystem::recursive_directory_iterator() &&
             count < kMaxFiles && !cancel.cancelled();
             each.increment(ignored), ++count) {
            std::error_code none;
            const std::uint64_t size = each->is_regular_file(none) ? each->file_size(none) : 0;
            signature.emplace_back(each->path().string(), size, changedAt(each->path()));
        }
    }
    std::sort(signature.begin(), signature.end());
    return signature;
}

void HistoryFollower::read(LookPtr seen) {
    m_timer.stop();
    m_poller.cancel();
    m_joiner.cancel();
    m_took.start();
    if (m_state != State::Ready) {
        m_state = State::Reading;
        Q_EMIT changed();
    }
    m_reader.start(
        [run = m_run, root = m_root, growing = m_growing, checkpoints = m_checkpoints,
         seen = std::move(seen)](const CancelToken& cancel) mutable -> Result<ReadOut> {
            // Determined before reading: data that is appended meanwhile is read the next time.
            if (seen == nullptr) {
                CAIRN_TRY(seen, look(run, root, cancel));
            }
            CAIRN_TRY(RunHistory history,
                      readHistories(std::move(seen->found), run, cancel, growing.get()));
            auto files = std::make_shared<const RunHistory>(std::move(history));
            return ReadOut{files, join(files, checkpoints), std::move(seen->signature)};
        },
        [this, checkpoints = m_checkpoints](Result<ReadOut> result) {
            m_lastTook = m_took.elapsed();
            if (result) {
                m_files = result->files;
                m_history = result->history;
                m_signature = std::move(result->signature);
                m_error.reset();
                m_state = State::Ready;
            } else if (m_state != State::Ready || !isOnLostHost(m_run)) { // else it stays
                m_files.reset();
                m_history.reset();
                m_error = result.error();
                m_state = State::Failed;
            }
            schedule();
            Q_EMIT changed();
            // More may be known of the checkpoints than when the reading began.
            const ScannedRun latest = std::exchange(m_checkpoints, checkpoints);
            setCheckpoints(latest);
        });
}

void HistoryFollower::schedule() {
    if (m_watched && !m_paused && !m_run.empty() && !m_reader.isRunning()) {
        m_timer.start(static_cast<int>(
            std::clamp<qint64>(kTimeoutMs * m_lastTook, kPollMs, qint64{600'000})));
    } else {
        m_timer.stop();
    }
}

void HistoryFollower::poll() {
    if (isOnLostHost(m_run)) { // who reads there next connects again, not this
        schedule();
        return;
    }
    m_poller.start(
        [run = m_run, root = m_root](const CancelToken& cancel) -> Result<LookPtr> {
            return look(run, root, cancel);
        },
        [this](Result<LookPtr> seen) {
            // A run that cannot be looked at is read, which reports the reason.
            const bool isSame = seen && (*seen)->signature == m_signature;
            if (!isSame) {
                m_lastGrowth.start();
                read(seen ? *std::move(seen) : nullptr);
            } else {
                schedule();
            }
        });
}

void HistoryFollower::setWatched(bool watched) {
    if (watched != m_watched) {
        m_watched = watched;
        schedule();
    }
}

void HistoryFollower::setPaused(bool paused) {
    if (paused != m_paused) {
        m_paused = paused;
        schedule();
        Q_EMIT changed();
    }
}

bool HistoryFollower::isGrowing() const {
    return m_lastGrowth.isValid() && m_lastGrowth.elapsed() < kGrowingMs;
}

} // namespace cairn::ui
