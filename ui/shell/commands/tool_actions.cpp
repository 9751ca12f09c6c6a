// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/tool_actions.h"

#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/plain_text.h"

#include <QAction>

namespace cairn::ui {

ToolActions::ToolActions(WindowParts& parts, const ShownSubject& subject)
    : m_parts(parts), m_subject(subject) {
    const Actions& actions = parts.actions;
    const auto connectTool = [this](QAction* action, CheckpointTool tool) {
        connect(action, &QAction::triggered, this, [this, tool] { run(tool); });
    };
    connectTool(actions.check, CheckpointTool::Check);
    connectTool(actions.scanPickles, CheckpointTool::ScanPickles);
    connectTool(actions.hash, CheckpointTool::Hash);
    connectTool(actions.verifyManifest, CheckpointTool::VerifyManifest);
    connect(actions.verifyFolder, &QAction::triggered, this,
            [this] { verifyAgainst(QFileDialog::Directory); });
    connect(actions.verifyFile, &QAction::triggered, this,
            [this] { verifyAgainst(QFileDialog::ExistingFile); });
    connect(&parts, &WindowParts::changed, this, &ToolActions::updateActions);
}

void ToolActions::run(CheckpointTool tool, const std::filesystem::path& other) {
    if (m_subject.checkpoint() == nullptr) {
        return;
    }
    m_parts.workspace->showPage(m_parts.pages.summary);
    m_parts.pages.summary->runTool(tool, other);
}

void ToolActions::verifyAgainst(QFileDialog::FileMode mode) {
    const QString folder = text::fromPath(m_subject.checkpointPath().parent_path());
    auto* dialog = new QFileDialog(m_parts.window, tr("Verify Against"), folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(mode);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        run(CheckpointTool::VerifyAgainst, text::toPath(path));
    });
    dialog->open();
}

void ToolActions::updateActions() {
    const Actions& actions = m_parts.actions;
    for (QAction* action : {actions.check, actions.scanPickles, actions.hash,
                            actions.verifyManifest, actions.verifyFolder, actions.verifyFile}) {
        action->setEnabled(m_subject.isCheckpointVisible());
    }
}

} // namespace cairn::ui
