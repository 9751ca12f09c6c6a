// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QFrame>
#include <QLabel>

class QVBoxLayout;

namespace cairn::ui {

/// A label of plain text in one of the tones, following palette changes. `elideMiddle` labels elide
/// their middle if there is no space, and show the full text in the tooltip.
class TextLabel : public QLabel {
    Q_OBJECT

public:
    explicit TextLabel(const QString& text = {}, theme::Tone tone = theme::Tone::Plain,
                       QWidget* parent = nullptr);

    void setTone(theme::Tone tone);
    void setElideMiddle(bool elide);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    theme::Tone m_tone;
    bool m_elide = false;
};

/// A rounded background with a hairline, for one topic. An empty title omits the caption.
class Card : public QFrame {
    Q_OBJECT

public:
    explicit Card(const QString& title = {}, QWidget* parent = nullptr);

    /// `hasName`: of a file, a run or a metric, which stays in its own case.
    void setTitle(const QString& title, bool hasName = false);
    /// A coloured edge on the leading side for result and failure strips; Tone::Plain: none.
    void setEdge(theme::Tone tone);
    QVBoxLayout* content() const { return m_content; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_caption;
    QVBoxLayout* m_content;
    theme::Tone m_edge = theme::Tone::Plain;
};

/// The head of a card or column: dim, small capitals.
TextLabel* captionLabel(const QString& text, QWidget* parent = nullptr);

/// The same for a name from a file: in its own case.
TextLabel* nameCaption(const QString& text, QWidget* parent = nullptr);

/// A label of plain text in the palette's own colour, for text that may be selected and copied.
QLabel* plainLabel(const QString& text, QWidget* parent = nullptr);

} // namespace cairn::ui
