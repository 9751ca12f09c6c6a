// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLineEdit;

namespace cairn::ui {

/// A line to type or paste a path into, with completion; Enter opens, Esc leaves.
class PathBar : public QFrame {
    Q_OBJECT

public:
    explicit PathBar(QWidget* parent);
    void popUp(const QString& start);
    QLineEdit* field() const { return m_field; }

Q_SIGNALS:
    void entered(const QString& path);

private:
    QLineEdit* m_field;
};

} // namespace cairn::ui
