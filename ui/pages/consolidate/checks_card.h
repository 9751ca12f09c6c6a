// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deployment.h"
#include "ui/widgets/card.h"

#include <functional>
#include <vector>

class QVBoxLayout;

namespace cairn::ui {

/// "Will it load?": the verdict, whether the values are good, and a row for whatever needs an
/// action; what passed or needs none is one row until it is unfolded. The problem that stops the
/// job has a card of its own.
class ChecksCard : public Card {
    Q_OBJECT

public:
    ChecksCard(const Deployment::Planned& planned, const ValueCheck& values, bool unfolded,
               QWidget* parent = nullptr);

Q_SIGNALS:
    void unfoldedChanged(bool unfolded);
    void checkRequested(); ///< of the values
    void stopRequested();
    void filesRequested(); ///< config and tokenizer from elsewhere

private:
    struct Check {
        QString item; ///< a word or two
        QString what;
        QString why;
        theme::Tone tone = theme::Tone::Good;
    };
    static std::vector<Check> passedChecks(const Deployment::Planned& planned);
    enum class Action { None, Check, Stop, ChooseFiles };
    struct Row {
        theme::Tone tone;
        QString what;
        QString why;
        Action action = Action::None;
    };
    static Row valuesRow(const ValueCheck& values);
    QWidget* actionButton(Action action);
    void addRows(const std::vector<Row>& rows);
    void addFold(const std::vector<Check>& passed, bool unfolded);

    QVBoxLayout* m_rows;
};

} // namespace cairn::ui
