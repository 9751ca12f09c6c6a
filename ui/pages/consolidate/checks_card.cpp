// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/checks_card.h"

#include "ui/pages/consolidate/job_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"

#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kNameLetters = 34; ///< longer names of checks are wrapped

} // namespace

ChecksCard::ChecksCard(const Deployment::Planned& planned, bool unfolded, QWidget* parent)
    : Card(tr("Checks"), parent), m_rows(new QVBoxLayout) {
    m_rows->setSpacing(theme::kGrid - 2);
    const CopyPlan& plan = planned.plan;
    std::vector<PlanProblem> problems = plan.problems;
    std::ranges::stable_sort(problems, std::greater(), &PlanProblem::severity);
    std::vector<Row> rows;
    for (const PlanProblem& problem : problems) {
        const text::ErrorWords words = text::describe(problem);
        rows.push_back(
            {problem.severity == Severity::Error ? theme::Tone::Broken : theme::Tone::Attention,
             words.title, words.detail});
    }
    for (const ChecklistItem& item : plan.checklist) {
        if (!item.ok) {
            rows.push_back(
                {theme::Tone::Attention, text::coreText(item.item()), text::coreText(item.detail)});
        }
    }
    const std::vector<Check> passed = passedChecks(planned);
    if (unfolded) {
        for (const Check& check : passed) {
            rows.push_back({theme::Tone::Good, check.what, check.why});
        }
    }
    addRows(rows);
    if (!passed.empty()) {
        addFold(passed, unfolded);
    }
    content()->addLayout(m_rows);
}

std::vector<ChecksCard::Check> ChecksCard::passedChecks(const Deployment::Planned& planned) {
    const CopyPlan& plan = planned.plan;
    std::vector<Check> passed;
    if (plan.runnable() && plan.checklist.empty()) { // a bundle's checklist contains it
        passed.push_back({tr("weights"), tr("Every element is present exactly once"),
                          tr("%Ln tensors", nullptr, static_cast<int>(planned.tensors))});
    }
    for (const ChecklistItem& item : plan.checklist) {
        if (item.ok) {
            passed.push_back({text::coreText(item.item()), text::coreText(item.item()),
                              text::coreText(item.detail)});
        }
    }
    for (const PlanDecision& decision : plan.decisions) {
        passed.push_back({text::coreText(decision.what()),
                          text::coreText(decision.what()) + QStringLiteral(": ") +
                              text::coreText(decision.value),
                          text::coreText(decision.why)});
    }
    return passed;
}

/// The reasons begin below each other, as far at the leading edge as the names permit. What is
/// longer than a name is a sentence, with its reason below it.
void ChecksCard::addRows(const std::vector<Row>& rows) {
    const auto widthOf = [this](const Row& row) {
        return fontMetrics().horizontalAdvance(row.what) + 1;
    };
    const int longest = kNameLetters * fontMetrics().averageCharWidth();
    int nameWidth = 0;
    for (const Row& row : rows) {
        nameWidth = widthOf(row) <= longest ? std::max(nameWidth, widthOf(row)) : nameWidth;
    }
    for (const Row& each : rows) {
        if (m_rows->count() > 0) {
            m_rows->addWidget(new Hairline);
        }
        auto* row = new QHBoxLayout;
        row->setContentsMargins(theme::kGrid, 0, 0, 0);
        row->setSpacing(2 * theme::kGrid);
        auto* mark = new TextLabel(toneMark(each.tone), each.tone);
        mark->setMinimumWidth(theme::kGrid * 3 / 2);
        mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
        row->addWidget(mark, 0, Qt::AlignTop);
        auto* label = new TextLabel(each.what);
        label->setWordWrap(true);
        auto* reason = new TextLabel(each.why, theme::Tone::Dim);
        reason->setWordWrap(true);
        if (widthOf(each) <= nameWidth) {
            label->setFixedWidth(nameWidth);
            row->addWidget(label, 0, Qt::AlignTop);
            row->addWidget(reason, 1, Qt::AlignTop);
        } else {
            auto* texts = new QVBoxLayout;
            texts->setSpacing(2);
            texts->addWidget(label);
            texts->addWidget(reason);
            row->addLayout(texts, 1);
            if (each.why.isEmpty()) {
                reason->hide();
            }
        }
        m_rows->addLayout(row);
    }
}

void ChecksCard::addFold(const std::vector<Check>& passed, bool unfolded) {
    if (m_rows->count() > 0) {
        m_rows->addWidget(new Hairline);
    }
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme::kGrid, 0, 0, 0);
    row->setSpacing(2 * theme::kGrid);
    auto* mark = new TextLabel(toneMark(theme::Tone::Good), theme::Tone::Good);
    mark->setMinimumWidth(theme::kGrid * 3 / 2);
    mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    row->addWidget(mark, 0, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(
        new TextLabel(tr("%Ln checks passed", nullptr, static_cast<int>(passed.size()))));
    if (!unfolded) {
        QStringList items;
        for (const Check& check : passed) {
            items << check.item;
        }
        items.removeDuplicates(); // a check and a decision about the same thing
        auto* names = new TextLabel(items.join(QStringLiteral(" · ")), theme::Tone::Dim);
        names->setWordWrap(true);
        texts->addWidget(names);
    }
    row->addLayout(texts, 1);
    auto* fold = new Button(unfolded ? tr("Show Fewer") : tr("Show All"));
    connect(fold, &QPushButton::clicked, this,
            [this, unfolded] { Q_EMIT unfoldedChanged(!unfolded); });
    row->addWidget(fold, 0, Qt::AlignTop);
    m_rows->addLayout(row);
}

} // namespace cairn::ui
