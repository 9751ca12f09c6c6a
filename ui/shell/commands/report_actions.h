// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "ui/bridge/async_runner.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class Page;
class ShownSubject;
class WindowParts;

/// File > Save Report and Copy as Markdown: the comparison of two runs or the table of runs while
/// it is shown, else the health of the shown checkpoint, made by core/report as `cairn-cli compare
/// --html`, `runs --table --html` and `check --html` do.
class ReportActions : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    ReportActions(WindowParts& parts, const ShownSubject& subject, FileOps& fileOps);

    /// Makes the report and writes a new file, whose form its name decides.
    void save(const std::filesystem::path& file);
    bool isSettled() const { return !m_making.isRunning(); }

private:
    using Maker = std::function<Result<Report>(const CancelToken& cancel)>;
    bool isShown(const Page& page) const;
    Maker maker() const; ///< empty: there is nothing to report
    QString suggestedName() const;
    void pickFile();
    void copyMarkdown();
    void fail(const Error& error);
    void updateActions();

    WindowParts& m_parts;
    const ShownSubject& m_subject;
    FileOps& m_fileOps;
    AsyncRunner m_making{AsyncRunner::Pool::Long};
};

} // namespace cairn::ui
