// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QStringList>
#include <QWidget>

namespace cairn::ui {

/// A line of short facts with " · " between, the most important first. In a narrow window the last
/// ones are left out; a warning that does not fit has two lines, or loses its last words. All of it
/// is in the tooltip.
class ForecastLabel : public QWidget {
    Q_OBJECT

public:
    explicit ForecastLabel(QWidget* parent = nullptr);

    void setParts(const QStringList& parts, const QString& tip, theme::Tone tone);
    QString text() const; ///< all of it
    QString shownText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList shownLines() const;
    QStringList sentenceLines() const;

    QStringList m_parts;
    theme::Tone m_tone = theme::Tone::Dim;
};

} // namespace cairn::ui
