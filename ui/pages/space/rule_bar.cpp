// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/rule_bar.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/risky.h"

#include <QMenu>

#include <array>

namespace cairn::ui {
namespace {

constexpr std::array<std::size_t, 7> kLast{1, 2, 3, 5, 10, 20, 50};
constexpr std::array<std::size_t, 5> kBest{1, 2, 3, 5, 10};

QString lastWords(std::size_t count) {
    return count == 0 ? RuleBar::tr("No Rule for the Last")
                      : RuleBar::tr("Keep the Last %Ln", nullptr, static_cast<int>(count));
}

QString bestWords(std::size_t count) {
    return count == 0 ? RuleBar::tr("No Rule for the Best")
                      : RuleBar::tr("Keep the Best %Ln", nullptr, static_cast<int>(count));
}

/// The same in a few letters.
QString shortLast(std::size_t count) {
    return count == 0 ? RuleBar::tr("Last: None") : RuleBar::tr("Last: %1").arg(text::count(count));
}

QString shortBest(std::size_t count) {
    return count == 0 ? RuleBar::tr("Best: None") : RuleBar::tr("Best: %1").arg(text::count(count));
}

} // namespace

RuleBar::RuleBar(QWidget* parent)
    : QWidget(parent), m_last(new Button(lastWords(3))), m_best(new Button(bestWords(1))),
      m_confirm(new Button(tr("Confirm Direction"))), m_busy(new TextLabel({}, theme::Tone::Dim)),
      m_stop(new Button(tr("Stop"))), m_undo(new Button(tr("Undo Move"))),
      m_move(new Button(tr("Move…"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kGrid);
    auto* rules = new QWidget;
    auto* flow = new FlowLayout(theme::kGrid, rules);
    flow->addWidget(m_last);
    flow->addWidget(m_best);
    flow->addWidget(m_confirm);
    flow->addWidget(m_stop);
    flow->addWidget(m_undo);
    flow->addWidget(m_busy);
    row->addWidget(rules, 1);
    m_busy->setElideMiddle(true);
    row->addWidget(m_move, 0, Qt::AlignTop);
    m_move->setPrimary(true);
    m_move->setProperty(kRisky, true);
    m_undo->setProperty(kRisky, true);
    m_last->setMenu(new QMenu(m_last));
    m_best->setMenu(new QMenu(m_best));
    text::setToolTip(m_last, tr("The latest complete checkpoint of a run is always kept."));
    text::setToolTip(m_best, tr("The best checkpoint of a run is always kept, by the metric that "
                                "the navigator shows."));
    for (const std::size_t count : kLast) {
        addChoice(m_last, lastWords(count), &RetentionRules::keepLast, count);
    }
    addChoice(m_best, bestWords(0), &RetentionRules::keepBest, 0);
    for (const std::size_t count : kBest) {
        addChoice(m_best, bestWords(count), &RetentionRules::keepBest, count);
    }
    m_confirm->hide();
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        RetentionRules confirmed = m_rules;
        confirmed.confirmsDirection = true;
        Q_EMIT chosen(confirmed);
    });
    connect(m_move, &QPushButton::clicked, this, &RuleBar::moveRequested);
    connect(m_undo, &QPushButton::clicked, this, &RuleBar::undoRequested);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (m_isBusy) {
            Q_EMIT stopRequested();
        } else {
            Q_EMIT planRequested();
        }
    });
}

void RuleBar::addChoice(Button* button, const QString& text, std::size_t RetentionRules::*rule,
                        std::size_t value) {
    QAction* action = button->menu()->addAction(text);
    action->setCheckable(true);
    connect(button->menu(), &QMenu::aboutToShow, action,
            [this, action, rule, value] { action->setChecked(m_rules.*rule == value); });
    connect(action, &QAction::triggered, this, [this, rule, value] {
        RetentionRules rules = m_rules;
        rules.*rule = value;
        Q_EMIT chosen(rules);
    });
}

void RuleBar::show(const RetentionController& controller, bool offersUndo) {
    m_undo->setVisible(offersUndo);
    m_rules = controller.rules();
    const auto& outcome = controller.outcome();
    m_metric = outcome ? outcome->metric : std::string();
    const QString assumed = outcome ? outcome->unconfirmed : QString();
    text::setToolTip(m_confirm, assumed + QLatin1Char('\n') +
                                    tr("The trainer did not record which values of the metric are "
                                       "better. Nothing is moved until you confirm it, or choose "
                                       "no rule for the best."));
    m_confirm->setVisible(!assumed.isEmpty());
    m_isBusy = controller.isBusy();
    m_stop->setText(m_isBusy ? tr("Stop") : tr("Plan"));
    m_stop->setVisible(m_isBusy || (!outcome && controller.runs() > 0 && !controller.isMoving()));
    m_busy->setVisible(controller.isBusy() || controller.isMoving());
    m_busy->setText(controller.isMoving() ? tr("Moving…")
                    : controller.runs() == 1
                        ? tr("Examining the run…")
                        : tr("Examining run %1 of %2…")
                              .arg(std::min(controller.examined() + 1, controller.runs()))
                              .arg(controller.runs()));
    const std::size_t moves = outcome ? outcome->moved : 0;
    m_move->setEnabled(moves > 0 && !controller.isBusy() && !controller.isMoving());
    m_move->setText(moves > 0 ? tr("Move %Ln Checkpoints…", nullptr, static_cast<int>(moves))
                    : outcome ? tr("Nothing to Move")
                              : tr("Move…"));
    nameRules();
    updateGeometry();
}

/// The longest words for which both rules fit beside the button that moves.
void RuleBar::nameRules() {
    const QString last = lastWords(m_rules.keepLast);
    const QString best = bestWords(m_rules.keepBest);
    const QString by =
        m_rules.keepBest == 0 || m_metric.empty()
            ? best
            : tr("%1 by %2").arg(best, text::withoutMnemonic(text::fromCore(m_metric)));
    const auto textWidth = [this](const QString& text) {
        return fontMetrics().horizontalAdvance(text);
    };
    const int around = m_last->sizeHint().width() - textWidth(m_last->text());
    const int room = width() - m_move->sizeHint().width() - 2 * (around + theme::kGrid);
    const auto fit = [&](const QString& one, const QString& other) {
        return textWidth(one) + textWidth(other) <= room;
    };
    const bool isShort = !fit(last, best);
    m_last->setText(isShort ? shortLast(m_rules.keepLast) : last);
    m_best->setText(isShort ? shortBest(m_rules.keepBest) : fit(last, by) ? by : best);
    m_last->setAccessibleName(last);
    m_best->setAccessibleName(by);
}

void RuleBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    nameRules();
}

} // namespace cairn::ui
