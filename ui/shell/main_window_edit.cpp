// SPDX-License-Identifier: GPL-3.0-or-later
// Names and metadata of the shown file, edited in place.
#include "core/formats/format.h"
#include "ui/header_edit/header_edit_dialog.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/workspace.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

namespace cairn::ui {

void MainWindow::connectEdit() {
    connect(m_actions.editHeader, &QAction::triggered, this, [this] { editHeader(m_shown); });
    connect(m_pages.summary, &SummaryPage::recoveryRequested, this, &MainWindow::editHeader);
}

/// Why the shown checkpoint has no header that can be edited; empty: it has one.
QString MainWindow::headerEditObstacle() const {
    if (m_checkpoint == nullptr) {
        return tr("No checkpoint is open");
    }
    const auto files = m_checkpoint->files();
    if (files.size() != 1 || m_checkpoint->path().filename() != files.front().path) {
        return tr("This checkpoint is a folder of several files; only a single safetensors file "
                  "can be edited in place");
    }
    const FormatInfo* format = findFormat(m_checkpoint->format());
    if (format == nullptr || format->editHeader == nullptr) {
        return tr("Only a safetensors file can be edited in place");
    }
    return {};
}

void MainWindow::updateEditAction(bool working) {
    const QString why = headerEditObstacle();
    m_actions.editHeader->setEnabled(working && why.isEmpty());
    m_actions.editHeader->setToolTip(
        why.isEmpty() ? tr("Edit names and metadata in place; tensor data does not change") : why);
}

/// Also of a file that cannot be read: an edit of it was interrupted.
void MainWindow::editHeader(const std::filesystem::path& file) {
    auto* dialog = new HeaderEditDialog(*m_services.fileOps, file, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &HeaderEditDialog::fileChanged, this, &MainWindow::reload);
    connect(dialog, &HeaderEditDialog::copied, this, &MainWindow::showStatusMessage);
    connect(dialog, &HeaderEditDialog::consolidateRequested, this,
            [this](const std::string& rename) {
                m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
                m_deployment.change([&rename](JobChoices& choices) {
                    chooseText(choices, "rename", rename);
                    chooseFormat(choices, usualFormat().id);
                    chooseEverything(choices, true);
                });
            });
    dialog->open();
}

/// For a file that cannot be read because an edit was interrupted.
void MainWindow::offerRecovery(const Error& error, const std::filesystem::path& path,
                               Message& message) {
    if (error.code == ErrorCode::EditInterrupted) {
        const std::filesystem::path file =
            error.where.file.empty() ? path : std::filesystem::path(error.where.file);
        message.actions.insert(message.actions.begin(),
                               {tr("Recover…"), [this, file] { editHeader(file); }});
    }
    if (text::remedy(error.code) == text::Remedy::CopyChmod) {
        const std::filesystem::path file =
            error.where.file.empty() ? path : std::filesystem::path(error.where.file);
        message.actions.push_back({tr("Copy chmod Command"), [this, file] {
                                       QGuiApplication::clipboard()->setText(
                                           QStringLiteral("chmod -R u+rX ") +
                                           shellQuoted(QString::fromLocal8Bit(file.c_str())));
                                       showStatusMessage(tr("Command copied to the clipboard"));
                                   }});
    }
}

void MainWindow::reload(const std::filesystem::path& file, const QString& what,
                        const QString& remark) {
    m_opener.forgetAll();
    m_navigator->refresh();
    m_opener.open(m_shown.empty() ? file : m_shown);
    if (remark.isEmpty()) {
        showStatusMessage(what);
    } else {
        m_messages->show({theme::Tone::Good, what, remark, {}});
    }
}

} // namespace cairn::ui
