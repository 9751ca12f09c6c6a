// SPDX-License-Identifier: GPL-3.0-or-later
// The window's preferences, its manual and the problem report.
#include "core/base/byte_units.h"
#include "core/runs/facts/index_cache.h"
#include "ui/charts/chart_controls.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/manual.h"
#include "ui/shell/preferences_dialog.h"
#include "ui/shell/problem_report.h"
#include "ui/shell/shortcut_set.h"
#include "ui/shell/top_bar.h"
#include "ui/shell/workspace.h"
#include "ui/text/words.h"
#include "ui/widgets/search_field.h"

#include <QAction>
#include <QTreeView>

namespace cairn::ui {

void MainWindow::connectPreferences(QSettings& settings) {
    m_preferences = std::make_unique<Preferences>(settings);
    m_shortcuts = std::make_unique<ShortcutSet>(m_actions.all(), settings);
    connect(m_preferences.get(), &Preferences::changed, this, &MainWindow::applyPreferences);
    connect(m_actions.preferences, &QAction::triggered, this,
            [this] { showPreference(PreferencesDialog::Item::Theme); });
    connect(m_actions.manual, &QAction::triggered, this, &MainWindow::showManual);
    connect(m_actions.reportProblem, &QAction::triggered, this, &MainWindow::reportProblem);
    const auto showFilterKeys = [this] {
        static_cast<SearchField*>(m_topBar->filterField())
            ->setShortcut(m_actions.filter->shortcut());
    };
    connect(m_shortcuts.get(), &ShortcutSet::changed, this, showFilterKeys);
    showFilterKeys();
    Preferences::Values plain;
    applyPreferences(plain);
}

void MainWindow::applyPreferences(const Preferences::Values& before) {
    const Preferences::Values& values = m_preferences->values();
    theme::setScheme(values.scheme);
    theme::setFontSizes(values.fonts);
    for (ChartControls* controls : {m_pages.history->controls(), m_pages.compare->controls()}) {
        controls->setDefaultSmoothing(values.smoothing);
    }
    if (values.cacheLimit != before.cacheLimit) {
        m_cacheLimit.start(
            [limit = values.cacheLimit](const CancelToken&) -> Result<int> {
                const IndexCache cache = IndexCache::ofUser();
                return cache.limit() == limit || cache.setLimit(limit) ? 0 : 1;
            },
            [](const Result<int>&) {});
    }
    const ByteUnits units = values.binaryUnits ? ByteUnits::Binary : ByteUnits::Decimal;
    if (units != byteUnits()) {
        setByteUnits(units);
        showAgain();
    }
}

/// All texts with sizes are made again.
void MainWindow::showAgain() {
    if (m_navigator->isEmpty()) {
        return;
    }
    m_actions.refresh->trigger();
    if (m_shown.empty()) {
        m_navigator->announceAgain();
    }
    m_navigator->view()->viewport()->update();
}

void MainWindow::showPreference(PreferencesDialog::Item item) {
    if (m_preferencesDialog == nullptr) {
        m_preferencesDialog = new PreferencesDialog(*m_preferences, *m_shortcuts, this);
    }
    m_preferencesDialog->showItem(item);
}

std::vector<PaletteEntry> MainWindow::findPreferences(const QStringList& words) {
    std::vector<PaletteEntry> found;
    for (const PreferencesDialog::Entry& each : PreferencesDialog::entries()) {
        const QString searched =
            each.text + QLatin1Char(' ') + each.synonyms + QLatin1Char(' ') + tr("preference");
        if (text::containsWords(searched, words)) {
            found.push_back(
                {each.text, tr("preference"), [this, item = each.item] { showPreference(item); }});
        }
    }
    return found;
}

void MainWindow::showManual() {
    if (m_manual == nullptr) {
        m_manual = new Manual(m_shortcuts->actions(), this);
        connect(m_shortcuts.get(), &ShortcutSet::changed, m_manual.data(), &Manual::reload);
    }
    const Page* page = m_workspace->currentPage();
    const bool compares = page == m_pages.history || page == m_pages.runs ||
                          page == m_pages.compare || page == m_pages.diff;
    m_manual->showPage(page == m_pages.space         ? QStringLiteral("space")
                       : page == m_pages.consolidate ? QStringLiteral("consolidate")
                       : compares                    ? QStringLiteral("compare")
                                                     : QStringLiteral("browse"));
}

void MainWindow::reportProblem() {
    ReportFacts facts{m_services.version,
                      m_workspace->currentPage()->info().title(),
                      m_checkpoint,
                      m_shown,
                      m_navigator->model()->experiments(),
                      0,
                      0,
                      0};
    for (const std::filesystem::path& folder : facts.folders) {
        if (const auto listing = m_navigator->listing(folder)) {
            facts.runs += listing->runs.size();
            facts.checkpoints += listing->checkpoints();
        }
    }
    facts.activeJobs = static_cast<std::size_t>(m_jobs.active());
    (new ProblemReport(std::move(facts), this))->open();
}

} // namespace cairn::ui
