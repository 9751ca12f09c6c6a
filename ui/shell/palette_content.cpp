// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette_content.h"

#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/command_palette.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/preferences/preferences_control.h"
#include "ui/shell/subject/shown_subject.h"

#include <QAbstractButton>
#include <QAction>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTreeView>

#include <algorithm>

namespace cairn::ui {
namespace {

/// The rows of runs and checkpoints below `parent` whose names contain all words.
void findRows(const NavigatorModel& model, const QModelIndex& parent, const QStringList& words,
              std::size_t most, std::vector<QModelIndex>& found) {
    for (int row = 0; row < model.rowCount(parent) && found.size() < most; ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const NavigatorModel::Kind kind = model.kindOf(index);
        if (kind == NavigatorModel::Kind::Role) {
            return;
        }
        const QString name = parent.data().toString() + QLatin1Char(' ') + index.data().toString();
        if (!model.isFold(index) && std::ranges::all_of(words, [&](const QString& word) {
                return name.contains(word, Qt::CaseInsensitive);
            })) {
            found.push_back(index);
        }
        findRows(model, index, words, most, found);
    }
}

/// What can be pressed or chosen on a page, by its words.
void findControls(const Page& page, const QStringList& words, std::size_t most,
                  std::vector<PaletteEntry>& found) {
    const auto add = [&](const QString& text, const std::function<void()>& choose) {
        const bool matches = std::ranges::all_of(
            words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        if (matches && found.size() < most) {
            found.push_back({text, page.info().title(), choose});
        }
    };
    for (QAbstractButton* button : page.findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || !button->isEnabled()) {
            continue;
        }
        const QString label = QString(button->text()).remove(QLatin1Char('&'));
        const QString name = button->accessibleName().isEmpty() ? label : button->accessibleName();
        const auto* pushed = qobject_cast<QPushButton*>(button);
        if (pushed == nullptr || pushed->menu() == nullptr) {
            add(name, [at = QPointer(button)] { at ? at->click() : void(); });
            continue;
        }
        for (QAction* action : pushed->menu()->actions()) {
            if (action->isEnabled() && !action->isSeparator()) {
                add(name + QStringLiteral(": ") + QString(action->text()).remove(QLatin1Char('&')),
                    [at = QPointer(action)] { at ? at->trigger() : void(); });
            }
        }
    }
}

} // namespace

PaletteContent::PaletteContent(WindowParts& parts, const ShownSubject& subject,
                               PreferencesControl& preferences)
    : m_parts(parts), m_preferences(preferences),
      m_palette(new CommandPalette(parts.actions.all(), parts.window)) {
    connect(parts.actions.palette, &QAction::triggered, this,
            [this] { m_palette->popUp(m_parts.workspace->currentPage()->actions()); });
    m_palette->findPlaces = [this](const QStringList& words, std::size_t most) {
        return find(words, most);
    };
    m_palette->shownCheckpoint = [&subject] { return subject.checkpoint(); };
    m_palette->chooseTensor = [this, &subject](TensorIndex tensor) {
        m_parts.workspace->showPage(m_parts.pages.tensors);
        m_parts.pages.inspector->showTensor(subject.checkpoint(), tensor);
        for (Page* page : m_parts.pages.all) {
            page->showTensor(subject.checkpoint(), tensor);
        }
    };
}

std::vector<PaletteEntry> PaletteContent::find(const QStringList& words, std::size_t most) {
    const NavigatorModel& model = *m_parts.navigator->model();
    std::vector<PaletteEntry> entries;
    findControls(*m_parts.workspace->currentPage(), words, most, entries);
    std::vector<QModelIndex> rows;
    findRows(model, {}, words, most, rows);
    for (const QModelIndex& row : rows) {
        const bool isRun = model.kindOf(row) != NavigatorModel::Kind::Checkpoint;
        const QString run = row.parent().data().toString();
        const QString name = row.data().toString();
        entries.push_back({isRun || run.isEmpty() ? name : run + QStringLiteral(" · ") + name,
                           isRun ? tr("run") : tr("checkpoint"),
                           [this, at = QPersistentModelIndex(row)] {
                               m_parts.navigator->view()->setCurrentIndex(at);
                           }});
    }
    for (PaletteEntry& preference : m_preferences.find(words)) {
        entries.push_back(std::move(preference));
    }
    return entries;
}

} // namespace cairn::ui
