// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/header_editing.h"

#include "core/formats/format.h"
#include "ui/header_edit/header_edit_dialog.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/deployment.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>

namespace cairn::ui {

HeaderEditing::HeaderEditing(WindowParts& parts, ShownSubject& subject, Deployment& deployment,
                             FileOps& fileOps)
    : m_parts(parts), m_subject(subject), m_deployment(deployment), m_fileOps(fileOps) {
    connect(parts.actions.editHeader, &QAction::triggered, this,
            [this] { edit(m_subject.checkpointPath()); });
    connect(parts.pages.summary, &SummaryPage::recoveryRequested, this, &HeaderEditing::edit);
    connect(&parts, &WindowParts::changed, this, &HeaderEditing::updateAction);
}

/// Why the shown checkpoint has no header that can be edited; empty: it has one.
QString HeaderEditing::obstacle() const {
    const CheckpointPtr& checkpoint = m_subject.checkpoint();
    if (checkpoint == nullptr) {
        return tr("No checkpoint is open");
    }
    const auto files = checkpoint->files();
    if (files.size() != 1 || checkpoint->path().filename() != files.front().path) {
        return tr("This checkpoint is a folder of several files; only a single safetensors file "
                  "can be edited in place");
    }
    const FormatInfo* format = findFormat(checkpoint->format());
    if (format == nullptr || format->editHeader == nullptr) {
        return tr("Only a safetensors file can be edited in place");
    }
    return {};
}

void HeaderEditing::updateAction() {
    const QString why = obstacle();
    QAction* action = m_parts.actions.editHeader;
    action->setEnabled(m_parts.isWorking() && why.isEmpty());
    action->setToolTip(
        why.isEmpty() ? tr("Edit names and metadata in place; tensor data does not change") : why);
}

void HeaderEditing::edit(const std::filesystem::path& file) {
    auto* dialog = new HeaderEditDialog(m_fileOps, file, m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &HeaderEditDialog::fileChanged, this, &HeaderEditing::reload);
    connect(dialog, &HeaderEditDialog::planApplied, this, [this](const HeaderEditPlanPtr& plan) {
        if (const Result<HeaderChanges> back = changesBack(*plan)) {
            Q_EMIT edited(tr("Edit of %1").arg(text::fromPath(plan->name)),
                          [this, file = plan->folder / plan->name, changes = *back] {
                              takeBack(file, changes);
                          });
        }
    });
    connect(dialog, &HeaderEditDialog::copied, m_parts.status, &StatusLine::showMessage);
    connect(dialog, &HeaderEditDialog::consolidateRequested, this,
            [this](const std::string& rename) {
                m_parts.workspace->showPage(m_parts.pages.consolidate);
                m_deployment.change([&rename](JobChoices& choices) {
                    chooseText(choices, "rename", rename);
                    chooseFormat(choices, usualFormat().id);
                    chooseEverything(choices, true);
                });
            });
    dialog->open();
}

/// An edit like any other: planned anew, so that a file that was changed meanwhile is safe.
void HeaderEditing::takeBack(const std::filesystem::path& file, const HeaderChanges& changes) {
    m_undoing.start(
        [ops = &m_fileOps, file, changes](const CancelToken&) -> Result<HeaderEditReport> {
            CAIRN_TRY(const HeaderEditPlan plan, planHeaderEdit(*ops, file, changes, {}));
            return applyHeaderEdit(*ops, plan, {});
        },
        [this, file](const Result<HeaderEditReport>& report) {
            if (report) {
                reload(file, tr("The header has its old names and entries again"), {});
            } else {
                const text::ErrorWords words = text::describe(report.error());
                m_parts.messages->show({theme::Tone::Broken, words.title, words.detail, {}});
            }
        });
}

void HeaderEditing::reload(const std::filesystem::path& file, const QString& what,
                           const QString& remark) {
    m_subject.reload(file);
    if (remark.isEmpty()) {
        m_parts.status->showMessage(what);
    } else {
        m_parts.messages->show({theme::Tone::Good, what, remark, {}});
    }
}

} // namespace cairn::ui
