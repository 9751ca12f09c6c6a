// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QStringList>
#include <QWidget>

class QLineEdit;

namespace cairn::ui {

struct Actions;
class Button;
class ForecastLabel;
class JobChip;

/// The row under the menu bar: the main actions, the forecast of consolidating, the jobs, the
/// filter field.
class TopBar : public QWidget {
    Q_OBJECT

public:
    TopBar(Actions& actions, QWidget* parent = nullptr);

    /// "4 shards → 1 model file", "16.1 GB", …, the most important first; empty: nothing to
    /// forecast.
    /// `tone`: Broken if it is the reason why nothing can start; then with a button Details.
    void setForecast(const QStringList& parts, const QString& tip, theme::Tone tone);
    /// A page may have a field of its own instead.
    void setFilterShown(bool shown);
    void setFilterHint(const QString& hint); ///< "Filter metrics…"
    void setComparable(bool comparable);     ///< there are two runs, or two checkpoints
    QLineEdit* filterField() const { return m_filter; }
    QString forecast() const;
    ForecastLabel* forecastLabel() const { return m_forecast; }
    JobChip* jobChip() const { return m_chip; } ///< hidden while there is nothing to show

Q_SIGNALS:
    void compareClicked();
    void detailsClicked(); ///< of the reason why nothing can start

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void leaveOut();

    Button* m_open;
    Button* m_consolidate;
    ForecastLabel* m_forecast;
    Button* m_details;
    bool m_isRefused = false;
    JobChip* m_chip;
    Button* m_refresh;
    Button* m_compare;
    QLineEdit* m_filter;
};

} // namespace cairn::ui
