// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/shortcut_page.h"

#include "ui/models/quiet_header.h"
#include "ui/models/row_delegate.h"
#include "ui/shell/preferences/shortcut_set.h"
#include "ui/text/plain_text.h"
#include "ui/text/words.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/outlined.h"
#include "ui/widgets/quiet_views.h"
#include "ui/widgets/text_field.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kKeyCharacters = 30; ///< that fit into the column
constexpr int kShortcutOwnerRole = Qt::UserRole + 1;

QString withoutMark(QString text) {
    return text.remove(QLatin1Char('&'));
}

/// "Edit: Copy".
QString titleOf(const QAction& action) {
    for (const QObject* each : action.associatedObjects()) {
        if (const auto* menu = qobject_cast<const QMenu*>(each); menu && !menu->title().isEmpty()) {
            return ShortcutPage::tr("%1: %2").arg(withoutMark(menu->title()),
                                                  withoutMark(action.text()));
        }
    }
    return withoutMark(action.text());
}

} // namespace

ShortcutPage::ShortcutPage(ShortcutSet& shortcuts, QWidget* parent)
    : QWidget(parent), m_shortcuts(shortcuts), m_model(new QStandardItemModel(this)),
      m_filter(new TextField), m_list(new QuietTreeView), m_name(new TextLabel),
      m_edit(new Outlined<QKeySequenceEdit>), m_message(new TextLabel({}, theme::Tone::Attention)),
      m_reassign(new Button(tr("Reassign"))), m_remove(new Button(tr("Remove"))),
      m_reset(new Button(tr("Reset"))), m_resetAll(new Button(tr("Reset All Shortcuts"))) {
    build();
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutPage::fill);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ShortcutPage::showSelected);
    connect(m_edit, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutPage::typed);
    connect(m_reassign, &QPushButton::clicked, this, &ShortcutPage::assign);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (QAction* action = selected()) {
            m_shortcuts.assign(*action, {});
        }
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (QAction* action = selected()) {
            m_shortcuts.reset(*action);
        }
    });
    connect(m_resetAll, &QPushButton::clicked, &m_shortcuts, &ShortcutSet::resetAll);
    connect(&m_shortcuts, &ShortcutSet::changed, this, &ShortcutPage::fill);
    fill();
}

void ShortcutPage::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    m_filter->setPlaceholderText(tr("Filter actions or keys…"));
    m_filter->setAccessibleName(tr("Filter actions"));
    m_filter->setMinimumHeight(theme::kControlHeight);
    m_filter->setClearButtonEnabled(true);
    layout->addWidget(m_filter);
    auto* card = new Card;
    card->layout()->setContentsMargins(1, 1, 1, 1);
    m_list->setModel(m_model);
    m_list->setHeader(new QuietHeader(m_list));
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setRootIsDecorated(false);
    m_list->setAllColumnsShowFocus(true);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setAccessibleName(tr("Shortcuts"));
    card->content()->addWidget(m_list);
    layout->addWidget(card, 1);
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kGrid);
    m_name->setElideMiddle(true);
    m_name->setBuddy(m_edit);
    m_edit->setAccessibleName(tr("New shortcut"));
    m_edit->setMinimumHeight(theme::kControlHeight);
    m_edit->setMinimumWidth(160);
    m_edit->installEventFilter(this);
    for (auto* field : m_edit->findChildren<QLineEdit*>()) {
        field->setFrame(false);
    }
    m_edit->layout()->setContentsMargins(theme::kGrid / 2, 2, theme::kGrid / 2, 2);
    line->addWidget(m_name, 1);
    line->addWidget(m_edit);
    line->addWidget(m_remove);
    line->addWidget(m_reset);
    layout->addLayout(line);
    auto* answer = new QHBoxLayout;
    answer->setSpacing(theme::kGrid);
    m_message->setWordWrap(true);
    answer->addWidget(m_message, 1);
    answer->addWidget(m_reassign);
    answer->addWidget(m_resetAll);
    layout->addLayout(answer);
}

QString ShortcutPage::message() const {
    return m_message->text();
}

void ShortcutPage::fill() {
    const QAction* before = selected();
    const QStringList words = text::wordsOf(m_filter->text());
    m_model->clear();
    m_model->setHorizontalHeaderLabels({tr("Action"), tr("Shortcut")});
    int row = 0;
    for (QAction* action : m_shortcuts.actions()) {
        const QString title = titleOf(*action);
        const QString keys = ShortcutSet::text(action->shortcuts());
        const QString searched = title + QLatin1Char(' ') + keys;
        if (!text::containsWords(searched, words)) {
            continue;
        }
        auto* name = new QStandardItem(title);
        name->setData(QVariant::fromValue(action), kShortcutOwnerRole);
        auto* sequence = new QStandardItem(keys);
        if (!m_shortcuts.isDefault(*action)) {
            QFont bold = font();
            bold.setWeight(QFont::DemiBold);
            sequence->setFont(bold);
            sequence->setToolTip(text::toolTip(
                tr("Default: %1").arg(ShortcutSet::text(m_shortcuts.defaults(*action)))));
        }
        m_model->appendRow({name, sequence});
        if (action == before) {
            row = m_model->rowCount() - 1;
        }
    }
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->resizeSection(1, fontMetrics().averageCharWidth() * kKeyCharacters);
    m_list->setCurrentIndex(m_model->index(row, 0));
    showSelected();
}

QAction* ShortcutPage::selected() const {
    return m_list->currentIndex().siblingAtColumn(0).data(kShortcutOwnerRole).value<QAction*>();
}

void ShortcutPage::showSelected() {
    const QScopedValueRollback quiet(m_quiet, true);
    const QAction* action = selected();
    m_name->setText(action != nullptr ? titleOf(*action) : QString());
    m_edit->setKeySequence(action != nullptr ? action->shortcut() : QKeySequence());
    m_edit->setEnabled(action != nullptr);
    m_remove->setEnabled(action != nullptr && !action->shortcuts().isEmpty());
    m_reset->setEnabled(action != nullptr && !m_shortcuts.isDefault(*action));
    m_resetAll->setEnabled(std::ranges::any_of(m_shortcuts.actions(), [this](const QAction* each) {
        return !m_shortcuts.isDefault(*each);
    }));
    m_message->clear();
    m_reassign->hide();
}

/// Keys that are free are assigned at once.
void ShortcutPage::typed() {
    QAction* action = selected();
    const QKeySequence keys = m_edit->keySequence();
    if (m_quiet || action == nullptr || keys.isEmpty() || keys == action->shortcut()) {
        return; // the field also empties itself at the first key
    }
    if (keys.count() > 1) { // one combination, not several after another
        m_edit->setKeySequence(QKeySequence(keys[0]));
        return;
    }
    const QAction* other = m_shortcuts.holder(*action, keys);
    m_reassign->setVisible(other != nullptr);
    m_message->setText(ShortcutSet::obstacle(keys));
    if (!m_message->text().isEmpty()) {
        return;
    }
    if (other != nullptr) {
        m_edit->setKeySequence(keys); // waits for no more
        m_message->setText(tr("%1 is the shortcut of “%2”.")
                               .arg(keys.toString(QKeySequence::NativeText), titleOf(*other)));
        return;
    }
    assign();
}

/// The field waits a second for further keys.
bool ShortcutPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyRelease) {
        QMetaObject::invokeMethod(this, &ShortcutPage::typed, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

void ShortcutPage::assign() {
    if (QAction* action = selected()) {
        m_shortcuts.assign(*action, m_edit->keySequence());
    }
}

} // namespace cairn::ui
