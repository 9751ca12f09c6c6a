// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/preferences_control.h"

#include "core/base/byte_units.h"
#include "core/runs/facts/index_cache.h"
#include "ui/charts/chart_controls.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/top_bar.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/words.h"
#include "ui/widgets/search_field.h"

#include <QAction>
#include <QTreeView>

namespace cairn::ui {

PreferencesControl::PreferencesControl(WindowParts& parts, const ShownSubject& subject,
                                       QSettings& settings)
    : m_parts(parts), m_subject(subject), m_preferences(settings),
      m_shortcuts(parts.actions.all(), settings) {
    connect(&m_preferences, &Preferences::changed, this, &PreferencesControl::apply);
    connect(parts.actions.preferences, &QAction::triggered, this,
            [this] { show(PreferencesDialog::Item::Theme); });
    const auto showFilterKeys = [this] {
        static_cast<SearchField*>(m_parts.topBar->filterField())
            ->setShortcut(m_parts.actions.filter->shortcut());
    };
    connect(&m_shortcuts, &ShortcutSet::changed, this, showFilterKeys);
    showFilterKeys();
    apply({});
}

void PreferencesControl::apply(const Preferences::Values& before) {
    const Preferences::Values& values = m_preferences.values();
    theme::setScheme(values.scheme);
    theme::setFontSizes(values.fonts);
    for (ChartControls* controls :
         {m_parts.pages.history->controls(), m_parts.pages.compare->controls()}) {
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
void PreferencesControl::showAgain() {
    Navigator* navigator = m_parts.navigator;
    if (navigator->isEmpty()) {
        return;
    }
    m_parts.actions.refresh->trigger();
    if (m_subject.checkpoint() == nullptr) {
        navigator->announceAgain();
    }
    navigator->view()->viewport()->update();
}

void PreferencesControl::show(PreferencesDialog::Item item) {
    if (m_dialog == nullptr) {
        m_dialog = new PreferencesDialog(m_preferences, m_shortcuts, m_parts.window);
    }
    m_dialog->showItem(item);
}

std::vector<PaletteEntry> PreferencesControl::find(const QStringList& words) {
    std::vector<PaletteEntry> found;
    for (const PreferencesDialog::Entry& each : PreferencesDialog::entries()) {
        const QString searched =
            each.text + QLatin1Char(' ') + each.synonyms + QLatin1Char(' ') + tr("preference");
        if (text::containsWords(searched, words)) {
            found.push_back(
                {each.text, tr("preference"), [this, item = each.item] { show(item); }});
        }
    }
    return found;
}

} // namespace cairn::ui
