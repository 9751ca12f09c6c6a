// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cairn::ui {

class TextLabel;

/// The bottom row: the selection with its counts and bytes.
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setPath(const QString& path);
    void setCounts(const QString& counts);
    QString counts() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_path;
    TextLabel* m_counts;
};

} // namespace cairn::ui
