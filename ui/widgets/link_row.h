// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace cairn::ui {

/// A full-width row that acts as a button: a name (cut in the middle) and a dim remark at the
/// right.
class LinkRow : public QAbstractButton {
    Q_OBJECT

public:
    LinkRow(const QString& name, const QString& remark, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name; ///< text() would take '&' for a mnemonic
    QString m_remark;
};

} // namespace cairn::ui
