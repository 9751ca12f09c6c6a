// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;

namespace cairn::ui {

struct Actions;
class Button;
class TextLabel;

/// The row under the menu bar: the main actions, the forecast of consolidating, the filter field.
class TopBar : public QWidget {
    Q_OBJECT

public:
    TopBar(Actions& actions, QWidget* parent = nullptr);

    /// "4 shards → 1 file, 16.1 GB · 40 MB memory · about 9 s"; empty: nothing to forecast.
    void setForecast(const QString& text, bool warns);
    void setFilterHint(const QString& hint); ///< "Filter metrics…"
    QLineEdit* filterField() const { return m_filter; }
    QString forecast() const;

Q_SIGNALS:
    void compareClicked();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Button* m_consolidate;
    TextLabel* m_forecast;
    QLineEdit* m_filter;
};

} // namespace cairn::ui
