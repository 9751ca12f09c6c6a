// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <filesystem>

namespace cairn {
class Error;
struct Experiment;
} // namespace cairn

namespace cairn::ui {

class FolderOpener;
class HeaderEditing;
struct Message;
class SessionRestore;
class ShownSubject;
class WindowParts;

/// Says which folder or checkpoint cannot be read, or has nothing to show, and offers what helps.
class ReadFailures : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    ReadFailures(WindowParts& parts, ShownSubject& subject, FolderOpener& opener,
                 SessionRestore& session, HeaderEditing& editing);

private:
    void showUnlisted(const std::filesystem::path& folder, const Error& error);
    void showUnopened(const std::filesystem::path& checkpoint, const Error& error);
    void showEmpty(const Experiment& experiment);
    void showGone(const std::filesystem::path& checkpoint, bool gone);
    void showHost(const QString& host);
    void offerRemedy(const Error& error, const std::filesystem::path& path, Message& message);

    WindowParts& m_parts;
    ShownSubject& m_subject;
    FolderOpener& m_opener;
    SessionRestore& m_session;
    HeaderEditing& m_editing;
    bool m_saysGone = false;
};

} // namespace cairn::ui
