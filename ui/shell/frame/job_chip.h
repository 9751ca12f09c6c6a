// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QStringList>

namespace cairn::ui {

/// The jobs in the toolbar: a ring of progress and "2 jobs · 41 % · 3 min left"; after the end of
/// the last one its outcome. In a narrow window the last parts are left out. A click shows them.
class JobChip : public QAbstractButton {
    Q_OBJECT

public:
    explicit JobChip(QWidget* parent = nullptr);

    void showProgress(double fraction, const QStringList& parts, bool paused);
    void showOutcome(theme::Tone tone, const QString& text);
    QString shownText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void setParts(const QStringList& parts);
    void paintRing(QPainter& painter, const QRectF& place) const;
    int widthOf(const QString& text) const;

    QStringList m_parts;
    double m_fraction = 0;
    theme::Tone m_tone = theme::Tone::Accent;
    bool m_ended = false;
};

} // namespace cairn::ui
