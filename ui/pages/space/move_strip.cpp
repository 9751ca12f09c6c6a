// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/space/move_strip.h"

#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

namespace cairn::ui {
namespace {

constexpr qsizetype kMaxProblems = 5;

} // namespace

Message reportMessage(const RetentionController::Report& report) {
    const auto count = static_cast<int>(report.count);
    const QString bytes = text::bytes(report.bytes);
    QString title =
        report.isUndo
            ? MoveStrip::tr("Moved %Ln checkpoints (%1) back", nullptr, count).arg(bytes)
            : MoveStrip::tr("Moved %Ln checkpoints (%1) to the wastebasket", nullptr, count)
                  .arg(bytes);
    QStringList lines;
    for (const Error& error : report.problems) {
        const text::ErrorWords words = text::describe(error);
        lines << (words.detail.isEmpty() ? words.title
                                         : MoveStrip::tr("%1: %2").arg(words.title, words.detail));
        if (lines.size() == kMaxProblems) {
            break;
        }
    }
    const auto failed = static_cast<int>(report.problems.size());
    if (failed > 0) {
        title = MoveStrip::tr("%1; %2").arg(title,
                                            MoveStrip::tr("%Ln were not moved", nullptr, failed));
    }
    return {failed == 0 ? theme::Tone::Good
            : count > 0 ? theme::Tone::Attention
                        : theme::Tone::Broken,
            title,
            lines.join(QLatin1Char('\n')),
            {}};
}

MoveStrip::MoveStrip(RetentionController& controller) : m_controller(controller) {
    connect(this, &MessageStrip::closed, this, &MoveStrip::dismiss);
}

void MoveStrip::confirm() {
    const auto& outcome = m_controller.outcome();
    if (!outcome || outcome->moved == 0) {
        return;
    }
    open({theme::Tone::Attention,
          tr("Move %Ln checkpoints (%1) to the wastebasket?", nullptr,
             static_cast<int>(outcome->moved))
              .arg(text::bytes(outcome->freedBytes)),
          tr("Each is compared with the examined files first. The disk is freed when the "
             "wastebasket is emptied."),
          {{tr("Move"),
            [this] {
                dismiss();
                m_controller.move();
            }},
           {tr("Cancel"), [this] { dismiss(); }}}});
    m_asked = outcome;
}

void MoveStrip::report(const RetentionController::Report& report) {
    Message message = reportMessage(report);
    if (m_controller.canUndo()) {
        message.actions.push_back({tr("Undo"), [this] { m_controller.undo(); }});
    }
    open(std::move(message));
}

void MoveStrip::planChanged() {
    if (m_asked && m_asked != m_controller.outcome()) {
        dismiss();
    }
}

void MoveStrip::setRunsShown(bool shown) {
    m_runs = shown;
    setVisible(shown && m_open);
}

void MoveStrip::open(Message message) {
    m_asked.reset();
    m_open = true;
    show(std::move(message));
    setVisible(m_runs);
}

void MoveStrip::dismiss() {
    m_asked.reset();
    m_open = false;
    hide();
    Q_EMIT dismissed();
}

} // namespace cairn::ui
