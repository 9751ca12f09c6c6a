// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/message_strip.h"

#include <QWidget>

namespace cairn::ui {

/// Replaces the pages while they have nothing to show: during reading, without a selection, or for
/// a checkpoint that cannot be opened. One sentence, the reason, and buttons.
class CentreNotice : public QWidget {
    Q_OBJECT

public:
    explicit CentreNotice(QWidget* parent = nullptr);

    void showQuiet(const QString& sentence); ///< reading, nothing chosen
    void showProblem(Message message);
    QString title() const;

private:
    TextLabel* m_quiet;
    MessageStrip* m_problem;
};

} // namespace cairn::ui
