// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/choice_list.h"

#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/search_field.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kWidth = 280;
constexpr int kMaxRows = 14;
constexpr int kSearchedFrom = 10; ///< fewer names need no field

} // namespace

ChoiceList::ChoiceList(const QString& name, QWidget* parent, Mode mode)
    : QFrame(parent, Qt::Popup), m_mode(mode), m_presets(new QHBoxLayout),
      m_field(new SearchField(tr("Filter…"), {})), m_list(new QListWidget) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    layout->setSpacing(theme::kGrid);
    m_presets->setSpacing(theme::kGrid);
    layout->addLayout(m_presets);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(name);
    m_field->setAccessibleName(tr("Filter the names"));
    setAccessibleName(name);
    connect(m_field, &QLineEdit::textChanged, this, &ChoiceList::filter);
    connect(m_field, &SearchField::left, m_list, qOverload<>(&QWidget::setFocus));
    m_field->installEventFilter(this);
    const auto chooseOne = [this](const QListWidgetItem* item) {
        if (m_mode == Mode::One && isVisible()) { // a click may also activate
            close();
            Q_EMIT changed({item->data(Qt::UserRole).toString()});
        }
    };
    connect(m_list, &QListWidget::itemClicked, this, chooseOne);
    connect(m_list, &QListWidget::itemActivated, this, chooseOne);
    connect(m_list, &QListWidget::itemChanged, this, [this] {
        if (!m_filling) {
            Q_EMIT changed(checked());
        }
    });
}

void ChoiceList::setChoices(const std::vector<Choice>& choices) {
    m_filling = true;
    m_list->clear();
    for (const Choice& choice : choices) {
        auto* item = new QListWidgetItem(choice.name, m_list);
        item->setData(Qt::UserRole, choice.key);
        if (m_mode == Mode::One) {
            m_list->setCurrentItem(choice.checked ? item : m_list->currentItem());
            continue;
        }
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(choice.checked ? Qt::Checked : Qt::Unchecked);
    }
    m_filling = false;
    m_field->setVisible(m_list->count() >= kSearchedFrom);
    filter(m_field->text());
}

void ChoiceList::addPreset(const QString& label, const std::function<QStringList()>& keys) {
    auto* button = new Button(label);
    m_presets->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, keys] { check(keys()); });
}

void ChoiceList::check(const QStringList& keys) {
    m_filling = true;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        item->setCheckState(keys.contains(item->data(Qt::UserRole).toString()) ? Qt::Checked
                                                                               : Qt::Unchecked);
    }
    m_filling = false;
    Q_EMIT changed(checked());
}

QStringList ChoiceList::checked() const {
    QStringList keys;
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->checkState() == Qt::Checked) {
            keys << m_list->item(row)->data(Qt::UserRole).toString();
        }
    }
    return keys;
}

void ChoiceList::filter(const QString& words) {
    for (int row = 0; row < m_list->count(); ++row) {
        m_list->item(row)->setHidden(
            !m_list->item(row)->text().contains(words.trimmed(), Qt::CaseInsensitive));
    }
}

/// Esc clears the field, then closes the list.
bool ChoiceList::eventFilter(QObject* watched, QEvent* event) {
    const bool closes = event->type() == QEvent::KeyPress && m_field->text().isEmpty() &&
                        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (closes) {
        close();
    }
    return closes || QFrame::eventFilter(watched, event);
}

void ChoiceList::popUp(QWidget& under) {
    m_field->clear();
    const int rowHeight = std::max(m_list->sizeHintForRow(0), fontMetrics().height() + 4);
    const int rows = std::clamp(m_list->count(), 1, kMaxRows);
    m_list->setFixedHeight(rows * rowHeight + 4);
    setFixedWidth(std::max(kWidth, under.width()));
    adjustSize();
    QPoint at = under.mapToGlobal(QPoint(0, under.height() + 2));
    const QRect screen = under.screen()->availableGeometry();
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    at.setY(std::clamp(at.y(), screen.top(), std::max(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    QWidget* first = m_field->isVisibleTo(this) ? static_cast<QWidget*>(m_field) : m_list;
    first->setFocus(Qt::PopupFocusReason);
}

} // namespace cairn::ui
