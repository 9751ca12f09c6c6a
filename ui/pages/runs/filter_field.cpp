// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/filter_field.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QStringListModel>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kMostWords = 12; ///< in the list
constexpr int kListWidth = 280;

bool isQuoted(const QString& name) {
    static const QRegularExpression plain(QStringLiteral("^[\\w./-]+$"));
    return !plain.match(name).hasMatch();
}

QString written(const QString& name) {
    return isQuoted(name) ? QLatin1Char('"') + name + QLatin1Char('"') : name;
}

} // namespace

FilterField::FilterField(QWidget* parent)
    : SearchField(tr("Filter runs: lr < 1e-3 and optimizer == adamw"), {}, parent),
      m_words(new QStringListModel(this)), m_completer(new QCompleter(m_words, this)) {
    setAccessibleName(tr("Filter runs"));
    m_completer->setWidget(this); // not setCompleter(): one word of the text is completed
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(kMostWords);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &FilterField::insert);
    connect(this, &QLineEdit::textEdited, this, &FilterField::complete);
    connect(this, &SearchField::left, this, &FilterField::finished);
}

void FilterField::setColumns(std::vector<Column> columns) {
    m_columns = std::move(columns);
}

int FilterField::wordStart() const {
    static const QRegularExpression before(QStringLiteral("[^\\s()\\[\\],:=!<>~\"]*$"));
    return static_cast<int>(before.match(text().left(cursorPosition())).capturedStart());
}

QStringList FilterField::completions() const {
    const int start = wordStart();
    const QString word = text().mid(start, cursorPosition() - start);
    const QString before = text().left(start);
    static const QRegularExpression condition(
        QStringLiteral("(?:\"([^\"]+)\"|([\\w./-]+))\\s*(?::|==|!=|=|~|!~|<=?|>=?)\\s*$"));
    static const QRegularExpression operand(QStringLiteral("(?:\"[^\"]+\"|[\\w./-]+)\\s+$"));
    QStringList found;
    if (const auto match = condition.match(before); match.hasMatch()) {
        const QString name = match.captured(1).isEmpty() ? match.captured(2) : match.captured(1);
        const auto column = std::ranges::find(m_columns, name, &Column::name);
        for (const QString& value : column != m_columns.end() ? column->values : QStringList()) {
            if (value.startsWith(word, Qt::CaseInsensitive) && value != word) {
                found << written(value);
            }
        }
        return found;
    }
    if (word.isEmpty()) {
        return {};
    }
    const bool isComplete = operand.match(before).hasMatch(); // then a connective comes next
    for (const char* connective : {"and", "or", "in", "not"}) {
        const QString known = QString::fromLatin1(connective);
        if ((isComplete || known == QStringLiteral("not")) && known != word &&
            known.startsWith(word, Qt::CaseInsensitive)) {
            found << known;
        }
    }
    QStringList within; // the word is in the middle of these
    for (const Column& column : m_columns) {
        const bool isLeading = column.name.startsWith(word, Qt::CaseInsensitive);
        if (column.name != word && column.name.contains(word, Qt::CaseInsensitive)) {
            (isLeading ? found : within) << written(column.name);
        }
    }
    found << within;
    return found;
}

bool FilterField::isUnfinished() const {
    return hasFocus() && cursorPosition() == text().size() && !completions().isEmpty();
}

void FilterField::complete() {
    const QStringList words = completions();
    m_words->setStringList(words);
    if (words.isEmpty()) {
        m_completer->popup()->hide();
        return;
    }
    m_completer->setCurrentRow(0);
    QRect place = cursorRect();
    place.setWidth(kListWidth);
    m_completer->complete(place);
}

void FilterField::insert(const QString& completion) {
    const int start = wordStart();
    QString all = text();
    all.replace(start, cursorPosition() - start, completion);
    setText(all);
    setCursorPosition(start + static_cast<int>(completion.size()));
    Q_EMIT textEdited(all);
}

bool FilterField::event(QEvent* event) {
    const bool isTab =
        event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab;
    QAbstractItemView* popup = isTab ? m_completer->popup() : nullptr;
    if (popup == nullptr || !popup->isVisible()) {
        return SearchField::event(event);
    }
    const QModelIndex row = popup->currentIndex().isValid() // as a shell completes
                                ? popup->currentIndex()
                                : m_completer->completionModel()->index(0, 0);
    popup->hide();
    insert(row.data().toString());
    event->accept();
    return true;
}

void FilterField::keyPressEvent(QKeyEvent* event) {
    const QAbstractItemView* popup = m_completer->popup();
    if (popup->isVisible() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        event->ignore(); // the list takes them
        return;
    }
    SearchField::keyPressEvent(event);
}

void FilterField::focusInEvent(QFocusEvent* event) {
    SearchField::focusInEvent(event);
    m_completer->setWidget(this);
}

void FilterField::focusOutEvent(QFocusEvent* event) {
    SearchField::focusOutEvent(event);
    const bool isAway = // only for a while: the list of completions, another window
        event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason;
    if (!isAway) {
        Q_EMIT finished();
    }
}

} // namespace cairn::ui
