// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/deployment.h"
#include "ui/widgets/card.h"

#include <functional>
#include <vector>

class QVBoxLayout;

namespace cairn::ui {

/// "Checks": a row for each problem, the worst first; what passed is one row until it is unfolded.
class ChecksCard : public Card {
    Q_OBJECT

public:
    ChecksCard(const Deployment::Planned& planned, bool unfolded, QWidget* parent = nullptr);

Q_SIGNALS:
    void unfoldedChanged(bool unfolded);

private:
    struct Check {
        QString item; ///< a word or two
        QString what;
        QString why;
    };
    static std::vector<Check> passedChecks(const Deployment::Planned& planned);
    struct Row {
        theme::Tone tone;
        QString what;
        QString why;
    };
    void addRows(const std::vector<Row>& rows);
    void addFold(const std::vector<Check>& passed, bool unfolded);

    QVBoxLayout* m_rows;
};

} // namespace cairn::ui
