// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/shard_locating.h"

#include "core/jobs/prepare/lost_shard.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QFileDialog>

namespace cairn::ui {

ShardLocating::ShardLocating(WindowParts& parts, ShownSubject& subject, FileOps& fileOps)
    : m_parts(parts), m_subject(subject), m_fileOps(fileOps) {
    connect(parts.pages.consolidate, &ConsolidatePage::locateRequested, this,
            &ShardLocating::locate);
}

void ShardLocating::locate() {
    if (m_subject.checkpoint() == nullptr) {
        return;
    }
    QStringList names;
    for (const std::string& name : lostFiles(*m_subject.checkpoint())) {
        names << text::fromPath(std::filesystem::path(name).filename());
    }
    auto* dialog =
        new QFileDialog(m_parts.window, tr("Locate %1").arg(names.join(QStringLiteral(", "))),
                        text::fromPath(m_subject.checkpointPath().parent_path()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setLabelText(QFileDialog::Accept, tr("Copy Here"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { take(text::toPath(path)); });
    dialog->open();
}

void ShardLocating::take(const std::filesystem::path& found) {
    if (m_subject.checkpoint() == nullptr) {
        return;
    }
    m_parts.status->showMessage(tr("Copying %1…").arg(text::fromPath(found.filename())));
    m_copying.start(
        [ops = &m_fileOps, checkpoint = m_subject.checkpoint(), found](const CancelToken& cancel) {
            return restoreLostFile(*ops, *checkpoint, found, nullptr, cancel);
        },
        [this](const Result<std::filesystem::path>& restored) {
            m_parts.status->showMessage({});
            if (restored) {
                m_parts.messages->show({theme::Tone::Good,
                                        tr("%1 was copied into the checkpoint")
                                            .arg(text::fromPath(restored->filename())),
                                        tr("Check reads every byte of it."),
                                        {}});
                m_subject.reload();
            } else if (restored.error().code != ErrorCode::Cancelled) {
                const text::ErrorWords words = text::describe(restored.error());
                m_parts.messages->show({theme::Tone::Broken, words.title, words.detail, {}});
            }
        });
}

} // namespace cairn::ui
