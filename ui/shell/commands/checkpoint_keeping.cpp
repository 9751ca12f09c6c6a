// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/checkpoint_keeping.h"

#include "core/runs/pins.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/space/move_strip.h"
#include "ui/pages/space/space_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kMostLines = 6; ///< of a question

using Paths = std::vector<std::filesystem::path>;

/// "step-400: the best, the latest. Lost: resuming from here"
QString removalLine(const RetentionPlan::Removal& removal) {
    const QString name = text::fromPath(removal.path.filename());
    const QString why = text::coreText(removal.why);
    const QString loses = text::coreText(removal.loses);
    return loses.isEmpty() ? CheckpointKeeping::tr("%1: %2").arg(name, why)
                           : CheckpointKeeping::tr("%1: %2; lost: %3").arg(name, why, loses);
}

QStringList linesOf(const RetentionController::Outcome& outcome) {
    QStringList lines;
    for (const RetentionController::RunPlan& run : outcome.runs) {
        for (const RetentionPlan::Entry& refused : run.plan.refused) {
            lines << CheckpointKeeping::tr("%1 is not moved: %2")
                         .arg(text::fromPath(refused.path.filename()), text::coreText(refused.why));
        }
        for (const RetentionPlan::Removal& removal : run.plan.remove) {
            lines << removalLine(removal);
        }
    }
    if (lines.size() > kMostLines) {
        const auto more = static_cast<int>(lines.size()) - kMostLines;
        lines = lines.mid(0, kMostLines);
        lines << CheckpointKeeping::tr("and %Ln more", nullptr, more);
    }
    return lines;
}

} // namespace

CheckpointKeeping::CheckpointKeeping(WindowParts& parts, FileOps& ops)
    : m_parts(parts), m_ops(ops), m_controller(parts.pages.space->controller()) {
    const Actions& actions = parts.actions;
    connect(actions.moveToWastebasket, &QAction::triggered, this, &CheckpointKeeping::planMove);
    connect(actions.keepCheckpoints, &QAction::triggered, this, &CheckpointKeeping::changePins);
    connect(&m_controller, &RetentionController::chosenPlanned, this, &CheckpointKeeping::ask);
    connect(&m_controller, &RetentionController::reported, this, &CheckpointKeeping::report);
    connect(&parts, &WindowParts::changed, this, &CheckpointKeeping::updateActions);
    connect(parts.navigator, &Navigator::selectionChanged, this, &CheckpointKeeping::readPins);
    // The key is for the rows; in a text field it deletes a character.
    actions.moveToWastebasket->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    parts.navigator->addAction(actions.moveToWastebasket);
}

void CheckpointKeeping::planMove() {
    const NavigatorModel& model = *m_parts.navigator->model();
    const Paths chosen = m_parts.navigator->selectedCheckpoints();
    std::vector<RetentionController::Target> runs;
    for (const std::filesystem::path& path : chosen) {
        if (const std::optional<RunPlace> run = model.runAt(model.find(path))) {
            const RetentionController::Target target{run->path, run->root, run->name};
            if (std::ranges::find(runs, target) == runs.end()) {
                runs.push_back(target);
            }
        }
    }
    if (!runs.empty() && !m_controller.isMoving()) {
        m_parts.status->showMessage(tr("Examining the selected checkpoints…"));
        m_controller.planChosen(std::move(runs), chosen);
    }
}

void CheckpointKeeping::ask(const RetentionController::OutcomePtr& chosen,
                            const std::optional<Error>& error) {
    m_parts.status->showMessage({});
    if (!chosen) {
        const text::ErrorWords words = text::describe(*error);
        m_parts.messages->show({theme::Tone::Broken, words.title, words.detail, {}});
        return;
    }
    const QString lines = linesOf(*chosen).join(QLatin1Char('\n'));
    if (chosen->moved == 0) {
        m_parts.messages->show(
            {theme::Tone::Attention, tr("The selected checkpoints cannot be moved"), lines, {}});
        return;
    }
    const auto hide = [this] { m_parts.messages->hide(); };
    m_parts.messages->show({theme::Tone::Attention,
                            tr("Move %Ln checkpoints (%1) to the wastebasket?", nullptr,
                               static_cast<int>(chosen->moved))
                                .arg(text::bytes(chosen->freedBytes)),
                            lines,
                            {{tr("Move"),
                              [this, hide, chosen] {
                                  hide();
                                  m_controller.moveChosen(chosen);
                                  m_parts.navigator->setFocus();
                              }},
                             {tr("Cancel"), [this, hide] {
                                  hide();
                                  m_parts.navigator->setFocus();
                              }}}});
}

/// The Space page says it itself.
void CheckpointKeeping::report(const RetentionController::Report& report) {
    m_parts.navigator->refresh();
    if (m_parts.workspace->currentPage() == m_parts.pages.space) {
        return;
    }
    Message message = reportMessage(report);
    if (m_controller.canUndo()) {
        message.actions.push_back({tr("Undo"), [this] { m_controller.undo(); }});
    }
    m_parts.messages->show(std::move(message));
}

/// Of the selected checkpoints.
void CheckpointKeeping::readPins() {
    m_reading.start(
        [chosen = m_parts.navigator->selectedCheckpoints()](const CancelToken&) -> Result<bool> {
            return !chosen.empty() && std::ranges::all_of(chosen, [](const auto& checkpoint) {
                return isPinned(checkpoint);
            });
        },
        [this](const Result<bool>& arePinned) {
            m_arePinned = arePinned && *arePinned;
            updateActions();
        });
}

void CheckpointKeeping::changePins() {
    const Paths chosen = m_parts.navigator->selectedCheckpoints();
    const bool pins = !m_arePinned;
    m_pinning.start(
        [ops = &m_ops, chosen, pins](const CancelToken&) -> Result<std::size_t> {
            for (const std::filesystem::path& path : chosen) {
                CAIRN_CHECK(setPinned(*ops, path, pins));
            }
            return chosen.size();
        },
        [this, pins](const Result<std::size_t>& count) {
            if (!count) {
                const text::ErrorWords words = text::describe(count.error());
                m_parts.messages->show({theme::Tone::Broken, words.title, words.detail, {}});
                return;
            }
            const auto number = static_cast<int>(*count);
            m_parts.status->showMessage(
                pins ? tr("%Ln checkpoints pinned; no plan removes them", nullptr, number)
                     : tr("Removed the pins of %Ln checkpoints", nullptr, number));
            readPins();
            m_parts.navigator->refresh();
            if (m_controller.runs() > 0) {
                m_controller.plan();
            }
        });
}

void CheckpointKeeping::updateActions() {
    const Actions& actions = m_parts.actions;
    const Paths selected = m_parts.navigator->selectedCheckpoints();
    const bool any = m_parts.isWorking() && !selected.empty();
    actions.moveToWastebasket->setEnabled(any);
    actions.keepCheckpoints->setEnabled(any);
    actions.keepCheckpoints->setText(any && m_arePinned ? tr("Remove P&in") : tr("P&in"));
}

} // namespace cairn::ui
