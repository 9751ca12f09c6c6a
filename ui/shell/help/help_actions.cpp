// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/help_actions.h"

#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/services.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/help/about.h"
#include "ui/shell/help/problem_report.h"
#include "ui/shell/preferences/shortcut_set.h"
#include "ui/shell/subject/shown_subject.h"

#include <QAction>
#include <QApplication>

namespace cairn::ui {

HelpActions::HelpActions(WindowParts& parts, const ShownSubject& subject, const Services& services,
                         const ShortcutSet& shortcuts, const JobsWatcher& jobs)
    : m_parts(parts), m_subject(subject), m_services(services), m_shortcuts(shortcuts),
      m_jobs(jobs) {
    const Actions& actions = parts.actions;
    connect(actions.manual, &QAction::triggered, this, &HelpActions::showManual);
    connect(actions.reportProblem, &QAction::triggered, this, &HelpActions::reportProblem);
    connect(actions.about, &QAction::triggered, this,
            [this] { (new About(m_services, m_parts.window))->open(); });
    connect(actions.aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);
}

void HelpActions::showManual() {
    if (m_manual == nullptr) {
        m_manual = new Manual(m_shortcuts.actions(), m_parts.window);
        connect(&m_shortcuts, &ShortcutSet::changed, m_manual.data(), &Manual::reload);
    }
    const PageSet& pages = m_parts.pages;
    const Page* page = m_parts.workspace->currentPage();
    const bool compares =
        page == pages.history || page == pages.runs || page == pages.compare || page == pages.diff;
    m_manual->showPage(page == pages.space         ? QStringLiteral("space")
                       : page == pages.consolidate ? QStringLiteral("consolidate")
                       : compares                  ? QStringLiteral("compare")
                                                   : QStringLiteral("browse"));
}

void HelpActions::reportProblem() {
    const Navigator& navigator = *m_parts.navigator;
    ReportFacts facts{m_services.version,
                      m_parts.workspace->currentPage()->info().title(),
                      m_subject.checkpoint(),
                      m_subject.checkpointPath(),
                      navigator.model()->experiments(),
                      0,
                      0,
                      0};
    for (const std::filesystem::path& folder : facts.folders) {
        if (const auto listing = navigator.listing(folder)) {
            facts.runs += listing->runs.size();
            facts.checkpoints += listing->checkpoints();
        }
    }
    facts.activeJobs = static_cast<std::size_t>(m_jobs.active());
    (new ProblemReport(std::move(facts), m_parts.window))->open();
}

} // namespace cairn::ui
