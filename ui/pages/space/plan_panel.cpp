// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/plan_panel.h"

#include "ui/pages/space/plan_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/card.h"
#include "ui/widgets/side_column.h"

#include <QGridLayout>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxReasons = 40; ///< the table below the map has all of them

/// A path may be wrapped after these characters.
QString breakable(QString text) {
    static const QRegularExpression kEnds(QStringLiteral("([/_=.-])(?=\\w)"));
    return text.replace(kEnds, QStringLiteral("\\1\u200b"));
}

} // namespace

PlanPanel::PlanPanel(QWidget* parent)
    : QWidget(parent), m_freed(new TextLabel), m_of(new TextLabel({}, theme::Tone::Dim)),
      m_rows(new QVBoxLayout), m_note(new TextLabel({}, theme::Tone::Dim)) {
    QVBoxLayout* column = makeSideColumn(this);
    column->setSpacing(theme::kGrid / 2);
    column->addWidget(captionLabel(tr("Plan")));
    m_freed->setFont(theme::bigFigure(m_freed->font()));
    m_of->setWordWrap(true);
    m_note->setWordWrap(true);
    m_note->setText(tr("Nothing is deleted: checkpoints are moved to the wastebasket, and Undo "
                       "moves them back. The disk is freed when the wastebasket is emptied."));
    column->addWidget(m_freed);
    column->addWidget(m_of);
    m_rows->setSpacing(theme::kGrid / 2);
    column->addLayout(m_rows);
    column->addSpacing(theme::kGrid);
    column->addWidget(m_note);
    column->addStretch(1);
}

void PlanPanel::clear() {
    if (m_box != nullptr) {
        m_box->hide();
        m_box->deleteLater();
    }
    m_box = new QWidget;
    auto* grid = new QGridLayout(m_box);
    grid->setContentsMargins(0, theme::kGrid, 0, 0);
    grid->setHorizontalSpacing(2 * theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid / 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    m_rows->addWidget(m_box);
}

void PlanPanel::addCount(const QString& what, std::size_t count, const QString& remark) {
    auto* grid = static_cast<QGridLayout*>(m_box->layout());
    const int row = grid->rowCount();
    auto* name = new TextLabel(what, theme::Tone::Dim);
    name->setWordWrap(true);
    grid->addWidget(name, row, 0, Qt::AlignTop);
    const QString number = text::count(count);
    auto* value = new TextLabel(remark.isEmpty() ? number : tr("%1, %2").arg(number, remark));
    value->setWordWrap(true);
    grid->addWidget(value, row, 1);
}

void PlanPanel::addReasons(const QString& caption, const std::vector<Reason>& reasons, bool warn) {
    if (reasons.empty()) {
        return;
    }
    auto* grid = static_cast<QGridLayout*>(m_box->layout());
    int row = grid->rowCount();
    grid->setRowMinimumHeight(row++, theme::kGrid);
    grid->addWidget(captionLabel(caption), row++, 0, 1, 2);
    for (std::size_t i = 0; i < std::min(reasons.size(), kMaxReasons); ++i) {
        auto* what = new TextLabel(breakable(reasons[i].what));
        what->setWordWrap(true);
        auto* why = new TextLabel(breakable(reasons[i].why),
                                  warn ? theme::Tone::Attention : theme::Tone::Dim);
        why->setWordWrap(true);
        grid->addWidget(what, row, 0, Qt::AlignTop);
        grid->addWidget(why, row++, 1, Qt::AlignTop);
        grid->addWidget(new Hairline, row++, 0, 1, 2);
    }
    if (reasons.size() > kMaxReasons) {
        grid->addWidget(new TextLabel(tr("and %Ln more", nullptr,
                                         static_cast<int>(reasons.size() - kMaxReasons)),
                                      theme::Tone::Dim),
                        row, 0, 1, 2);
    }
}

void PlanPanel::show(const RetentionController& controller, std::uint64_t total) {
    clear();
    const auto& outcome = controller.outcome();
    m_of->setVisible(outcome != nullptr || controller.isBusy());
    if (!outcome) {
        m_freed->setText(controller.isBusy() ? QStringLiteral("…") : QStringLiteral("—"));
        m_of->setText(controller.isBusy() ? tr("Examining the checkpoints") : QString());
        m_box->hide();
        return;
    }
    m_freed->setText(text::bytes(outcome->freedBytes));
    const QString of = tr("freed of %1").arg(text::bytes(total));
    m_of->setText(outcome->diskFree
                      ? tr("%1; %2 are free now").arg(of, text::bytes(*outcome->diskFree))
                      : of);
    addCount(tr("moved"), outcome->moved, {});
    addCount(tr("kept"), outcome->kept, {});
    addCount(tr("not touched"), outcome->untouched, {});
    std::vector<Reason> untouched;
    std::vector<Reason> kept;
    const bool several = outcome->runs.size() > 1;
    for (const RetentionController::RunPlan& run : outcome->runs) {
        if (run.error) {
            untouched.push_back({run.place.name, text::describe(*run.error).title});
        }
        for (const auto& each : run.plan.refused) {
            untouched.push_back({planName(run, each.path, several), text::coreText(each.why)});
        }
        for (const auto& each : run.plan.keep) {
            kept.push_back({planName(run, each.path, several), text::coreText(each.why)});
        }
    }
    std::size_t notices = 0;
    for (const RetentionController::RunPlan& run : outcome->runs) {
        notices += run.notices.size();
    }
    if (notices > 0) {
        auto* grid = static_cast<QGridLayout*>(m_box->layout());
        auto* unsearched = new TextLabel(tr("%Ln folders could not be searched for references.",
                                            nullptr, static_cast<int>(notices)),
                                         theme::Tone::Attention);
        unsearched->setWordWrap(true);
        grid->addWidget(unsearched, grid->rowCount(), 0, 1, 2);
    }
    addReasons(tr("Not touched because"), untouched, true);
    addReasons(tr("Kept because"), kept, false);
}

} // namespace cairn::ui
