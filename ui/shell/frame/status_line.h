// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

namespace cairn::ui {

class TextLabel;

/// The bottom row: the selection with its counts and bytes. A message, or the tip of an action,
/// takes the place of the selection for a while.
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setPath(const QString& path);
    void showMessage(const QString& line); ///< for a few seconds; announced
    void showTip(const QString& tip);      ///< until the next setPath(); empty: the path again
    void setCounts(const QString& counts);
    QString counts() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_line;
    TextLabel* m_counts;
    QString m_path;
    QTimer m_passing; ///< a message is shown
};

} // namespace cairn::ui
