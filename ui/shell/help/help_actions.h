// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/help/manual.h"

#include <QObject>
#include <QPointer>

namespace cairn::ui {

class JobsWatcher;
struct Services;
class ShortcutSet;
class ShownSubject;
class WindowParts;

/// The menu Help: the manual, opened at the current page's chapter, the problem report, and who
/// made the program.
class HelpActions : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    HelpActions(WindowParts& parts, const ShownSubject& subject, const Services& services,
                const ShortcutSet& shortcuts, const JobsWatcher& jobs);

    Manual* manual() const { return m_manual; } ///< null: not opened yet

private:
    void showManual();
    void reportProblem();

    WindowParts& m_parts;
    const ShownSubject& m_subject;
    const Services& m_services;
    const ShortcutSet& m_shortcuts;
    const JobsWatcher& m_jobs;
    QPointer<Manual> m_manual;
};

} // namespace cairn::ui
