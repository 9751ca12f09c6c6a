// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace cairn::ui {

/// A full-width row that acts as a button: a name and a dim remark at the right. Where both do not
/// fit, the shorter remark is shown, if there is one, before the name is cut in the middle.
class LinkRow : public QAbstractButton {
    Q_OBJECT

public:
    LinkRow(const QString& name, const QString& remark, QWidget* parent = nullptr);
    void setShortRemark(const QString& remark) { m_short = remark; }
    /// Of the name, where it is one of several: see text::sharedStart().
    void setSharedStart(qsizetype characters) { m_sharedStart = characters; }
    QString shownRemark() const; ///< in the present width
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name; ///< text() would take '&' for a mnemonic
    QString m_remark;
    QString m_short; ///< empty: none
    qsizetype m_sharedStart = 0;
};

} // namespace cairn::ui
