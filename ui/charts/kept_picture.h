// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QSize>

#include <cstddef>
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
    /// Draws the items from `first` to before `last` above the ones before, in the size of the
    /// widget.
    using Draw = std::function<void(QPainter&, std::size_t first, std::size_t last)>;

    /// The widget and the queue outlive the picture. Without a queue everything is drawn at once.
    explicit KeptPicture(QWidget& widget) : m_widget(widget) {}
    void setTurns(TurnQueue* turns) { m_turns = turns; }
    TurnQueue* turns() const { return m_turns; }

    /// It shows something else from now on: so many items, at most `itemsOfPart` (above zero) of
    /// them in one part. Without items, one part is drawn from 0 to 0.
    void change(std::size_t items, std::size_t itemsOfPart, Draw draw);
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
    std::size_t m_items = 0;
    std::size_t m_itemsOfPart = 1;
    QPixmap m_kept;  ///< null: none yet
    QPixmap m_begun; ///< with the first m_next items
    std::size_t m_next = 0;
    bool m_stale = true; ///< m_kept is not what is to be shown
    int m_generation = 0;
    int m_drawn = 0;
};

} // namespace cairn::ui
