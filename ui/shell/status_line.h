// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace cairn::ui {

class TextLabel;

/// The bottom row: the selection with its counts and bytes, and a summary of the jobs (a click
/// shows them).
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setPath(const QString& path);
    void setCounts(const QString& counts);
    /// "2 jobs · 41 % · 3 min left"; empty: no chip.
    void setJobs(const QString& text);
    QString counts() const;

Q_SIGNALS:
    void jobsClicked();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_path;
    TextLabel* m_counts;
    QPushButton* m_jobs;
};

} // namespace cairn::ui
