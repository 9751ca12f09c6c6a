// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/turn_queue.h"

#include <QElapsedTimer>

#include <utility>

namespace cairn::ui {
namespace {

constexpr qint64 kTurnNs = 1'000'000; ///< no further piece is begun in a turn after that time

} // namespace

TurnQueue::TurnQueue(QObject* parent) : QObject(parent) {
    m_timer.setInterval(0); // timers run once in a turn, queued calls until none is left
    connect(&m_timer, &QTimer::timeout, this, &TurnQueue::turn);
}

void TurnQueue::add(const QObject* owner, std::function<void()> work) {
    m_pieces.push_back({owner, std::move(work)});
    if (!m_timer.isActive()) {
        m_timer.start();
    }
}

void TurnQueue::turn() {
    if (m_works) {
        return; // a piece runs an event loop of its own
    }
    QElapsedTimer clock;
    clock.start();
    while (!m_pieces.empty() && clock.nsecsElapsed() < kTurnNs) {
        Piece piece = std::move(m_pieces.front());
        m_pieces.pop_front();
        if (piece.owner) {
            const QPointer<TurnQueue> self(this);
            m_works = true;
            piece.work();
            if (!self) {
                return;
            }
            m_works = false;
        }
    }
    if (m_pieces.empty()) {
        m_timer.stop();
    }
}

} // namespace cairn::ui
