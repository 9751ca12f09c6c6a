// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/read_failures.h"

#include "core/runs/scan/far_host.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/command_text.h"
#include "ui/shell/commands/header_editing.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/file_manager.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/session/session_restore.h"
#include "ui/shell/subject/folder_opener.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace cairn::ui {

ReadFailures::ReadFailures(WindowParts& parts, ShownSubject& subject, FolderOpener& opener,
                           SessionRestore& session, HeaderEditing& editing)
    : m_parts(parts), m_subject(subject), m_opener(opener), m_session(session), m_editing(editing) {
    connect(parts.navigator, &Navigator::experimentFailed, this, &ReadFailures::showUnlisted);
    connect(parts.navigator, &Navigator::experimentListed, this, &ReadFailures::showEmpty);
    connect(parts.navigator, &Navigator::hostChanged, this, &ReadFailures::showHost);
    connect(&subject, &ShownSubject::failed, this, &ReadFailures::showUnopened);
    connect(&subject, &ShownSubject::goneChanged, this, &ReadFailures::showGone);
}

void ReadFailures::showUnlisted(const std::filesystem::path& folder, const Error& error) {
    const std::vector<std::filesystem::path> failed = m_session.addFailed(folder);
    text::ErrorWords words = text::describe(error);
    if (failed.size() > 1) {
        words = {tr("%Ln folders of the last session cannot be opened", nullptr,
                    static_cast<int>(failed.size())),
                 folderLines(failed)};
    }
    Message message{theme::Tone::Broken,
                    words.title,
                    words.detail.isEmpty() ? text::fromPath(folder) : words.detail,
                    {{tr("Retry"), [this, failed] { m_opener.open(failed); }},
                     {tr("Open Another Folder…"), [this] { m_opener.pickFolder(); }}}};
    offerRemedy(error, folder, message);
    m_parts.messages->show(std::move(message));
    if (m_parts.navigator->isEmpty()) {
        m_parts.showStart();
    }
    Q_EMIT m_parts.changed();
}

void ReadFailures::showUnopened(const std::filesystem::path& checkpoint, const Error& error) {
    const text::ErrorWords words = text::describe(error);
    Message message{theme::Tone::Broken,
                    words.title,
                    words.detail.isEmpty() ? text::fromPath(checkpoint) : words.detail,
                    {{tr("Retry"), [this, checkpoint] { m_subject.choose(checkpoint); }},
                     {tr("Show in File Manager"), [this, checkpoint] {
                          showInFileManager(checkpoint, *m_parts.messages, *m_parts.status);
                      }}}};
    offerRemedy(error, checkpoint, message);
    m_parts.workspace->showProblem(std::move(message));
    Q_EMIT m_parts.changed();
}

void ReadFailures::showEmpty(const Experiment& experiment) {
    if (experiment.checkpoints() > 0) {
        return;
    }
    const auto denied = std::ranges::find(experiment.notices, ErrorCode::PermissionDenied,
                                          [](const Notice& notice) { return notice.error.code; });
    if (denied != experiment.notices.end()) { // what is in it is not known
        const text::ErrorWords words = text::describe(denied->error);
        Message message{theme::Tone::Broken,
                        tr("Folders in %1 cannot be read").arg(text::fromCore(experiment.name)),
                        words.title + (words.detail.isEmpty()
                                           ? QString()
                                           : QStringLiteral("\n") + words.detail),
                        {{tr("Retry"), [this] { m_parts.navigator->refresh(); }}}};
        offerRemedy(denied->error, experiment.path, message);
        m_parts.messages->show(std::move(message));
    } else {
        m_parts.messages->show(
            {theme::Tone::Attention,
             tr("No checkpoint was found in %1").arg(text::fromCore(experiment.name)),
             tr("Cairn searched its folders for all supported formats."),
             {{tr("Open Another Folder…"), [this] { m_opener.pickFolder(); }}}});
    }
}

/// Above every page: they show what was read before.
void ReadFailures::showGone(const std::filesystem::path& checkpoint, bool gone) {
    if (gone) {
        m_parts.messages->show(
            {theme::Tone::Attention,
             tr("%1 does not exist any more").arg(text::fromPath(checkpoint.filename())),
             tr("It was moved or deleted. The pages show what was read of it before."),
             {{tr("Newest Complete Checkpoint"),
               [this] { m_parts.actions.newestCheckpoint->trigger(); }}}});
    } else if (m_saysGone) {
        m_parts.messages->hide();
    }
    m_saysGone = gone;
}

/// While the connection to the host of an opened folder is lost. A folder that was never listed has
/// a strip of its own.
void ReadFailures::showHost(const QString& host) {
    const auto state = hostState(host.toStdString());
    const auto isListedThere = [&](const std::filesystem::path& path) {
        return m_parts.navigator->listing(path) != nullptr &&
               hostAccountOf(path) == host.toStdString();
    };
    const std::vector<std::filesystem::path> opened = m_parts.navigator->model()->experiments();
    const QString title = tr("The connection to %1 is lost").arg(host);
    if (state && state->link == HostLink::Connected && m_parts.messages->title() == title) {
        m_parts.messages->hide();
    }
    if (!state || state->link != HostLink::Lost || !std::ranges::any_of(opened, isListedThere)) {
        return;
    }
    const text::ErrorWords words = state->why ? text::describe(*state->why) : text::ErrorWords();
    QStringList lines{words.title, words.detail, tr("The pages show what was read before.")};
    lines.removeAll(QString());
    m_parts.messages->show({theme::Tone::Attention,
                            title,
                            lines.join(QLatin1Char('\n')),
                            {{tr("Retry"), [this] { m_subject.reload(); }}}});
    Q_EMIT m_parts.changed();
}

/// For a file whose edit was interrupted, and for one without the right to read it.
void ReadFailures::offerRemedy(const Error& error, const std::filesystem::path& path,
                               Message& message) {
    const std::filesystem::path file =
        error.where.file.empty() ? path : std::filesystem::path(error.where.file);
    if (error.code == ErrorCode::EditInterrupted) {
        message.actions.insert(message.actions.begin(),
                               {tr("Recover…"), [this, file] { m_editing.edit(file); }});
    }
    if (text::remedy(error.code) == text::Remedy::CopyChmod) {
        message.actions.push_back({tr("Copy chmod Command"), [this, file] {
                                       QGuiApplication::clipboard()->setText(
                                           QStringLiteral("chmod -R u+rX ") +
                                           shellQuoted(QString::fromLocal8Bit(file.c_str())));
                                       m_parts.status->showMessage(
                                           tr("Command copied to the clipboard"));
                                   }});
    }
}

} // namespace cairn::ui
