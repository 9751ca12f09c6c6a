// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QSize>

#include <functional>

class QPainter;
class QWidget;

namespace cairn::ui {

class TurnQueue;

/// A picture of what takes long to draw, kept by the widget that shows it. Something large is drawn
/// in parts, one in each turn of the event loop; until the last part is there, the picture before
/// is shown. GUI thread only.
class KeptPicture {
public:
    /// Draws part `part` of `parts` above the ones before, in the size of the widget.
    using Draw = std::function<void(QPainter&, int part)>;

    /// The widget and the queue outlive the picture. Without a queue everything is drawn at once.
    explicit KeptPicture(QWidget& widget) : m_widget(widget) {}
    void setTurns(TurnQueue* turns) { m_turns = turns; }
    TurnQueue* turns() const { return m_turns; }

    /// It shows something else from now on, in that many parts.
    void change(int parts, Draw draw);
    /// Shows nothing any more.
    void clear();
    /// For the paint event: the picture in the pixels of the painter's device.
    void paint(QPainter& painter);
    int drawn() const { return m_drawn; } ///< complete pictures so far; for tests

private:
    void begin(double scale);
    void drawPart();
    void drawNext(int generation);

    QWidget& m_widget;
    TurnQueue* m_turns = nullptr;
    Draw m_draw;
    int m_parts = 0;
    QPixmap m_kept;  ///< null: none yet
    QPixmap m_begun; ///< with the first m_next parts
    int m_next = 0;
    bool m_stale = true; ///< m_kept is not what is to be shown
    int m_generation = 0;
    int m_drawn = 0;
};

} // namespace cairn::ui
