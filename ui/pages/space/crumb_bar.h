// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QHBoxLayout;

namespace cairn::ui {

/// Where one is in a tree: "experiments › run-a › step 6000", each part but the last a button.
class CrumbBar : public QWidget {
    Q_OBJECT

public:
    explicit CrumbBar(QWidget* parent = nullptr);
    /// `remark`: dim, after the last one.
    void setParts(const QStringList& parts, const QString& remark);
    const QStringList& parts() const { return m_parts; }

Q_SIGNALS:
    void chosen(int part);

private:
    QHBoxLayout* m_row;
    QStringList m_parts;
    QString m_remark;
};

} // namespace cairn::ui
