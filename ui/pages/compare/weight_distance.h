// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/compare/weight_change.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::ui {

/// Compares the weights of the checkpoint pairs of two runs in the background, the last pair first,
/// then the first. Small amounts are read automatically; more waits for start(). Results are kept
/// as long as the files are the same. GUI thread only.
class WeightDistance : public QObject {
    Q_OBJECT

public:
    enum class State {
        Empty,      ///< there is no pair
        Estimating, ///< at the indices: how much would have to be read
        Waiting,    ///< for start()
        Reading,
        Done,
        Stopped, ///< by the user, or nothing could be opened
    };
    /// Up to this size both sides are read automatically.
    static constexpr std::uint64_t kAutoReadLimit = std::uint64_t{1} << 30U;

    explicit WeightDistance(QObject* parent = nullptr);
    ~WeightDistance() override;

    /// Replaces the compared pairs; pairs with known results are not compared again.
    void setPairs(std::vector<WeightPair> pairs);
    void start();
    void stop();

    State state() const { return m_state; }
    const std::vector<WeightPair>& pairs() const { return m_pairs; }
    /// Null while it is not known.
    const WeightChange* change(std::size_t pair) const; ///< position in RunComparison::checkpoints
    std::size_t knownPairs() const;
    std::uint64_t bytes() const { return m_bytes; } ///< that reading takes, or took
    std::uint64_t done() const { return m_done ? m_done->load() : 0; }

Q_SIGNALS:
    /// The state, or the result of a pair.
    void changed();
    /// Bytes were read; a few times a second.
    void progressed();

private:
    struct Known {
        WeightPair pair;
        std::shared_ptr<const WeightChange> change;
    };
    std::vector<WeightPair> unknownPairs() const;
    const Known* find(const WeightPair& pair) const;
    void estimate();
    void read();
    void setState(State state);

    std::vector<WeightPair> m_pairs;
    std::vector<Known> m_known;
    State m_state = State::Empty;
    bool m_asked = false; ///< start() was called for these pairs
    std::uint64_t m_bytes = 0;
    std::shared_ptr<std::atomic<std::uint64_t>> m_done;
    AsyncRunner m_runner{AsyncRunner::Pool::Long};
    QTimer m_tick;
};

/// "0.31", "equal", "not comparable": the distance of two checkpoints in a few letters.
QString distanceText(const WeightChange& change);

} // namespace cairn::ui
