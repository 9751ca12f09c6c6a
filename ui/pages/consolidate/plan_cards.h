// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/copy_plan.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/serve_commands.h"
#include "ui/widgets/card.h"

class QVBoxLayout;

namespace cairn::ui {

/// The column of names in the page's cards, px.
inline constexpr int kNameWidth = 11 * theme::kGrid;

/// "Forecast": bytes read and written, space and time.
Card* forecastCard(const Deployment::Planned& planned);

/// The right column: the tree of the output, and the same job as a shell command.
class WrittenPanel : public QWidget {
    Q_OBJECT

public:
    explicit WrittenPanel(QWidget* parent = nullptr);
    /// `command` is shown, `whole` is copied.
    void show(const Deployment::Planned& planned, const QString& command, const QString& whole);
    /// How the last output is used, below this title; none: there is no output yet.
    void showServe(const std::vector<ServeCommand>& commands, const QString& title);
    void clear();

Q_SIGNALS:
    void copyRequested();
    void textCopied(const QString& what);

private:
    QVBoxLayout* m_files;
    QWidget* m_body;
    QLabel* m_command;
    QWidget* m_shell;
    QWidget* m_serve;
    QString m_served; ///< all commands of m_serve
};

} // namespace cairn::ui
