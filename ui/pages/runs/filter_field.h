// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/search_field.h"

#include <QStringList>

#include <vector>

class QCompleter;
class QStringListModel;

namespace cairn::ui {

/// The filter of the Runs page: completes names of columns, the values of a setting after its
/// operator, and the words of the language. GUI thread only.
class FilterField : public SearchField {
    Q_OBJECT

public:
    explicit FilterField(QWidget* parent = nullptr);

    struct Column {
        QString name;
        QStringList values; ///< of a setting with few of them
    };
    void setColumns(std::vector<Column> columns);
    /// What may stand at the cursor; empty: nothing is known.
    QStringList completions() const;
    /// The beginning of a word is being typed at the end.
    bool isUnfinished() const;
    QCompleter* completer() const { return m_completer; }

Q_SIGNALS:
    void finished(); ///< the field was left, or Enter was pressed: no more of a word follows

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int wordStart() const;
    void complete();
    void insert(const QString& completion);

    std::vector<Column> m_columns;
    QStringListModel* m_words;
    QCompleter* m_completer;
};

} // namespace cairn::ui
