// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <deque>
#include <functional>

namespace cairn::ui {

/// Work that only the GUI thread can do, but need not do at once: a few pieces in each turn of the
/// event loop, so that input is answered and what is finished is painted in between. GUI thread
/// only.
class TurnQueue : public QObject {
    Q_OBJECT

public:
    explicit TurnQueue(QObject* parent = nullptr);

    /// Does `work` in a later turn, after what was added before, unless `owner` is destroyed. What
    /// an owner added may add more.
    void add(const QObject* owner, std::function<void()> work);
    bool isEmpty() const { return m_pieces.empty() && !m_works; }

private:
    struct Piece {
        QPointer<const QObject> owner;
        std::function<void()> work;
    };
    void turn();

    std::deque<Piece> m_pieces;
    QTimer m_timer;
    bool m_works = false;
};

} // namespace cairn::ui
