// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/text_field.h"

#include <QKeySequence>
#include <QPointer>

class QLabel;

namespace cairn::ui {

/// A filter field that shows its shortcut while empty. Esc clears it; Esc in an empty field, Down
/// and Enter move the focus to the filtered view (left()).
class SearchField : public TextField {
    Q_OBJECT

public:
    SearchField(const QString& placeholder, const QKeySequence& shortcut,
                QWidget* parent = nullptr);

    void setShortcut(const QKeySequence& shortcut);
    const QString& shortcutText() const { return m_shortcut; } ///< as it is drawn
    /// Shown under the field over whatever is there, until it is replaced or the text is empty.
    /// Plain text; empty: nothing.
    void setProblem(const QString& problem);
    QString problem() const;

Q_SIGNALS:
    void left();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeProblem();

    QString m_shortcut;
    QPointer<QLabel> m_problem; ///< child of the window, which owns it
};

} // namespace cairn::ui
