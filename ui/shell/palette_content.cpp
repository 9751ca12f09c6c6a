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
#include "ui/text/words.h"
#include "ui/widgets/risky.h"

#include <QAbstractButton>
#include <QAction>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTreeView>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr std::size_t kMostOfOtherPages = 6; ///< commands of each

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

/// Whether the button is one of the page's own, as it is or would be shown: in a stack every part
/// but one is hidden, and so is all of a page that is not current. Answers to a question are given
/// where it is asked.
bool isOffered(const QAbstractButton& button, const Page& page, bool isCurrent) {
    if (isCurrent && !(button.isVisible() && button.isEnabled())) {
        return false;
    }
    for (const QWidget* part = &button; part != &page; part = part->parentWidget()) {
        const bool isStacked = part->parentWidget()->inherits("QStackedWidget");
        const bool isAnswer = part->inherits("cairn::ui::MessageStrip"); // to what is asked there
        const bool isPassing =
            part->inherits("cairn::ui::NoticePane") || part->inherits("cairn::ui::LinkRow");
        if (isAnswer || (!isCurrent && (isPassing || (part->isHidden() && !isStacked)))) {
            return false;
        }
    }
    return true;
}

/// What can be pressed or chosen on a page, by its words and the page's title.
void findControls(const Page& page, bool isCurrent, const QStringList& words, std::size_t most,
                  const std::function<void()>& show, std::vector<PaletteEntry>& found) {
    const QString title = page.info().title();
    std::size_t count = 0;
    QStringList switches; // buttons that can be checked: a menu's action may be the same switch
    const auto add = [&](const QString& name, const QString& also, bool isRisky,
                         const std::function<void()>& choose) {
        const QString text = isCurrent ? name : title + QStringLiteral(": ") + name;
        const bool matches = text::containsWords(text + QLatin1Char(' ') + also, words) &&
                             (isCurrent || text::containsAnyWord(name + also, words));
        const bool isAdded = !name.isEmpty() && matches && count < most;
        if (isAdded) {
            ++count;
            found.push_back({text,
                             title,
                             [show, choose] {
                                 show();
                                 choose();
                             },
                             isCurrent ? PaletteEntry::Group::PageCommand
                                       : PaletteEntry::Group::OtherPageCommand,
                             {},
                             isRisky});
        }
        return isAdded;
    };
    for (QAbstractButton* button : page.findChildren<QAbstractButton*>()) {
        if (!isOffered(*button, page, isCurrent)) {
            continue;
        }
        const QString label = QString(button->text()).remove(QLatin1Char('&'));
        const QString name = button->accessibleName().isEmpty() ? label : button->accessibleName();
        const bool isRisky = button->property(kRisky).toBool();
        const auto* pushed = qobject_cast<QPushButton*>(button);
        if (pushed == nullptr || pushed->menu() == nullptr) {
            const bool isAdded = add(name, button->toolTip(), isRisky,
                                     [at = QPointer(button)] { at ? at->click() : void(); });
            if (isAdded && button->isCheckable()) {
                switches << name;
            }
            continue;
        }
        for (QAction* action : pushed->menu()->actions()) {
            if (action->isEnabled() && !action->isSeparator() && action->menu() == nullptr) {
                const QString text = QString(action->text()).remove(QLatin1Char('&'));
                if (action->isCheckable() && switches.contains(text)) {
                    continue;
                }
                add(isCurrent ? name + QStringLiteral(": ") + text : text, name, isRisky,
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
    const Page* current = m_parts.workspace->currentPage();
    findControls(
        *current, true, words, most, [] {}, entries);
    for (const Page* page : m_parts.pages.all) {
        const bool isShown = m_parts.isWorking() && m_parts.workspace->isShowingPages() &&
                             m_parts.workspace->isTabEnabled(m_parts.workspace->tabOf(page));
        if (page != current && isShown) {
            findControls(
                *page, false, words, kMostOfOtherPages,
                [this, page] { m_parts.workspace->showPage(page); }, entries);
        }
    }
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
                           },
                           PaletteEntry::Group::Object,
                           {name, run + QLatin1Char(' ') + name}});
    }
    for (PaletteEntry& preference : m_preferences.find(words)) {
        preference.group = PaletteEntry::Group::Preference;
        entries.push_back(std::move(preference));
    }
    return entries;
}

} // namespace cairn::ui
