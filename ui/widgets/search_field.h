// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/text_field.h"

#include <QKeySequence>

namespace cairn::ui {

/// A filter field that shows its shortcut while empty. Esc clears it; Esc in an empty field, Down
/// and Enter move the focus to the filtered view (left()).
class SearchField : public TextField {
    Q_OBJECT

public:
    SearchField(const QString& placeholder, const QKeySequence& shortcut,
                QWidget* parent = nullptr);

Q_SIGNALS:
    void left();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_shortcut;
};

} // namespace cairn::ui
