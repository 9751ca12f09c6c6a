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

/// Files beside the weights that are missing and can be taken from elsewhere.
bool needsFiles(const ChecklistItem& item) {
    return (item.id == CheckId::ChatTemplate && item.detail.arguments().empty()) ||
           (!item.ok && !item.checked &&
            (item.id == CheckId::Config || item.id == CheckId::Tokenizer));
}

} // namespace

ChecksCard::ChecksCard(const Deployment::Planned& planned, const ValueCheck& values, bool unfolded,
                       QWidget* parent)
    : Card(tr("Will it load?"), parent), m_rows(new QVBoxLayout) {
    m_rows->setSpacing(theme::kGrid - 2);
    const CopyPlan& plan = planned.plan;
    std::vector<Row> rows;
    const bool stopped = !plan.runnable(); // the card above has the reason
    if (!stopped) {
        const auto state = planned.verdict.state;
        rows.push_back({state == LoadVerdict::State::Loads   ? theme::Tone::Good
                        : state == LoadVerdict::State::Fails ? theme::Tone::Broken
                                                             : theme::Tone::Dim,
                        text::coreText(planned.verdict.text),
                        {}});
        if (plan.job != "average") { // of several checkpoints
            rows.push_back(valuesRow(values));
        }
    }
    const auto stopping = std::ranges::find(plan.problems, Severity::Error, &PlanProblem::severity);
    for (const PlanProblem& problem : plan.problems) {
        const bool isLoss = plan.training && problem.code == ErrorCode::MissingState;
        const bool isSame = isLoss || (stopped && problem.code == stopping->code); // said above
        if (problem.severity != Severity::Error && !isSame) {
            const text::ErrorWords words = text::describe(problem);
            rows.push_back({theme::Tone::Attention, words.title, words.detail});
        }
    }
    for (const ChecklistItem& item : plan.checklist) {
        if (needsFiles(item)) {
            rows.push_back({item.ok ? theme::Tone::Dim : theme::Tone::Attention,
                            text::coreText(item.item()), text::coreText(item.detail),
                            Action::ChooseFiles});
        } else if (item.fails() && !stopped) {
            rows.push_back(
                {theme::Tone::Attention, text::coreText(item.item()), text::coreText(item.detail)});
        }
    }
    const std::vector<Check> passed = passedChecks(planned);
    if (unfolded) {
        for (const Check& check : passed) {
            rows.push_back({check.tone, check.what, check.why});
        }
    }
    addRows(rows);
    if (!passed.empty()) {
        addFold(passed, unfolded);
    }
    content()->addLayout(m_rows);
}

/// Of a fold: those of the base, too.
ChecksCard::Row ChecksCard::valuesRow(const ValueCheck& values) {
    const bool folds = values.count() > 1;
    if (values.isChecking()) {
        return {theme::Tone::Dim,
                tr("Checking the values, %1 %").arg(static_cast<int>(100 * values.fraction())),
                {},
                Action::Stop};
    }
    if (const Notice* fault = values.fault()) {
        const text::ErrorWords words = text::describe(fault->error);
        return {theme::Tone::Broken, words.title, words.detail};
    }
    if (values.isChecked()) {
        const auto tensors = static_cast<int>(values.tensorsRead());
        return {theme::Tone::Good,
                folds ? tr("No NaN or Inf in %Ln tensors of base and adapter", nullptr, tensors)
                      : tr("No NaN or Inf in %Ln tensors", nullptr, tensors),
                {}};
    }
    return {theme::Tone::Dim,
            folds ? tr("Values of base and adapter not checked yet") : tr("Values not checked yet"),
            {},
            Action::Check};
}

std::vector<ChecksCard::Check> ChecksCard::passedChecks(const Deployment::Planned& planned) {
    const CopyPlan& plan = planned.plan;
    std::vector<Check> passed;
    if (plan.runnable() && plan.checklist.empty()) { // a bundle's checklist contains it
        passed.push_back({tr("weights"), tr("Every element is present exactly once"),
                          tr("%Ln tensors", nullptr, static_cast<int>(planned.tensors))});
    }
    for (const ChecklistItem& item : plan.checklist) {
        if (!item.fails() && !needsFiles(item)) {
            passed.push_back({text::coreText(item.item()), text::coreText(item.item()),
                              text::coreText(item.detail),
                              item.ok ? theme::Tone::Good : theme::Tone::Dim});
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

QWidget* ChecksCard::actionButton(Action action) {
    auto* button = new Button(action == Action::Check  ? tr("Check Values")
                              : action == Action::Stop ? tr("Stop")
                                                       : tr("Choose…"));
    connect(button, &QPushButton::clicked, this, [this, action] {
        action == Action::Check  ? Q_EMIT checkRequested()
        : action == Action::Stop ? Q_EMIT stopRequested()
                                 : Q_EMIT
                                   filesRequested();
    });
    return button;
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
        const bool isName = widthOf(row) <= longest && !row.why.isEmpty();
        nameWidth = isName ? std::max(nameWidth, widthOf(row)) : nameWidth;
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
        if (widthOf(each) <= nameWidth && !each.why.isEmpty()) {
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
        if (each.action != Action::None) {
            row->addWidget(actionButton(each.action), 0, Qt::AlignTop);
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
    const auto isGood = [](const Check& check) { return check.tone == theme::Tone::Good; };
    const auto good = static_cast<int>(std::ranges::count_if(passed, isGood)); // others: unfolded
    texts->addWidget(new TextLabel(tr("%Ln checks passed", nullptr, good)));
    if (!unfolded) {
        QStringList items;
        for (const Check& check : passed) {
            if (isGood(check)) {
                items << check.item;
            }
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
