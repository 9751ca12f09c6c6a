// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kActionRole = Qt::UserRole + 1;
constexpr int kKeysRole = Qt::UserRole + 2;

QString plain(const QAction& action) {
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    return text;
}

/// Name at the left, shortcut at the right.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QPalette palette = option.palette;
        theme::quietSelection(palette);
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->fillRect(option.rect, palette.color(QPalette::Highlight));
        }
        const bool enabled = (index.flags() & Qt::ItemIsEnabled) != 0;
        const QRect row = option.rect.adjusted(theme::kGrid + 4, 0, -theme::kGrid - 4, 0);
        painter->setFont(option.font);
        painter->setPen(theme::color(enabled ? theme::Tone::Plain : theme::Tone::Dim, palette));
        painter->drawText(row, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        painter->setPen(theme::color(theme::Tone::Dim, palette));
        painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, index.data(kKeysRole).toString());
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {200, QFontMetrics(option.font).height() + 12};
    }
};

} // namespace

CommandPalette::CommandPalette(QList<QAction*> actions, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_actions(std::move(actions)), m_field(new QLineEdit(this)),
      m_list(new QListWidget(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    m_field->setPlaceholderText(tr("Search actions…"));
    m_field->setAccessibleName(tr("Find an action"));
    m_field->setMinimumHeight(theme::kControlHeight + 4);
    m_field->installEventFilter(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Actions"));
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::applyFilter);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
}

void CommandPalette::popUp() {
    m_field->clear();
    applyFilter({});
    const int width = std::min(560, parentWidget()->width() - 4 * theme::kGrid);
    resize(width, std::min(420, parentWidget()->height() - 8 * theme::kGrid));
    move(parentWidget()->mapToGlobal(
        QPoint((parentWidget()->width() - width) / 2, 7 * theme::kGrid)));
    show();
    m_field->setFocus();
}

void CommandPalette::applyFilter(const QString& words) {
    m_list->clear();
    const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (QAction* action : m_actions) {
        const QString name = plain(*action);
        const QString searched = name + QLatin1Char(' ') + action->toolTip();
        const bool matches = std::all_of(parts.begin(), parts.end(), [&](const QString& part) {
            return searched.contains(part, Qt::CaseInsensitive);
        });
        if (!matches) {
            continue;
        }
        auto* item = new QListWidgetItem(name, m_list);
        QStringList sequences;
        for (const QKeySequence& sequence : action->shortcuts()) {
            sequences << sequence.toString(QKeySequence::NativeText);
        }
        item->setData(kKeysRole, sequences.join(QStringLiteral(", ")));
        item->setToolTip(text::toolTip(action->toolTip())); // the reason why an action is disabled
        item->setData(kActionRole, QVariant::fromValue(action));
        item->setFlags(action->isEnabled() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                                           : Qt::NoItemFlags);
    }
    for (int row = 0; row < m_list->count(); ++row) {
        if ((m_list->item(row)->flags() & Qt::ItemIsEnabled) != 0) {
            m_list->setCurrentRow(row);
            break;
        }
    }
}

void CommandPalette::run() {
    const QListWidgetItem* item = m_list->currentItem();
    auto* action = item != nullptr ? item->data(kActionRole).value<QAction*>() : nullptr;
    if (action == nullptr || !action->isEnabled()) {
        return;
    }
    hide();
    action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        auto* press = static_cast<QKeyEvent*>(event);
        const int step = press->key() == Qt::Key_Down ? 1 : press->key() == Qt::Key_Up ? -1 : 0;
        if (step != 0) {
            int row = m_list->currentRow() + step;
            while (row >= 0 && row < m_list->count() &&
                   (m_list->item(row)->flags() & Qt::ItemIsEnabled) == 0) {
                row += step;
            }
            if (row >= 0 && row < m_list->count()) {
                m_list->setCurrentRow(row);
            }
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace cairn::ui
