// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/runs/run_arrangement.h"

#include <QWidget>

#include <string>

class QMenu;

namespace cairn::ui {

class Button;
class ChoiceList;
class FilterField;
class TextLabel;

/// Above the table of the Runs page: the filter, as wide as the page; by what the runs are grouped,
/// which columns are shown, what the colours stand for, how many runs there are, and the export of
/// the table.
class RunsBar : public QWidget {
    Q_OBJECT

public:
    /// The lists open over `page`. The query outlives the bar.
    RunsBar(QWidget* page, const RunsQuery& query);

    /// Null: there is nothing to choose from.
    void show(RunsDataPtr from, const RunsArrangement& arrangement, const std::string& colourBy);
    void setCounts(const QString& counts);
    /// Columns of the table for which there is no room.
    void setLeftOut(int columns);
    QString counts() const;
    /// Of the filter, below its field; nothing moves while one types. Empty: none.
    void setProblem(const QString& problem);
    QString problem() const { return m_problem; }
    /// Shows the text; emits nothing.
    void setFilter(const QString& text);
    void popUpColumns();
    QMenu* exportMenu() const { return m_formats; } ///< for what else can be exported

    Button* groupButton() const { return m_groupButton; }
    Button* columnsButton() const { return m_columnsButton; }
    Button* colourButton() const { return m_colourButton; }
    FilterField* filterField() const { return m_filter; }
    ChoiceList* colourList() const { return m_colourList; }
    ChoiceList* groupList() const { return m_groupList; }
    ChoiceList* columnList() const { return m_columnList; }

Q_SIGNALS:
    void groupByChosen(const QStringList& keys);
    void columnsChosen(const QStringList& checked);
    void colourChosen(const QString& choice); ///< see run_colours.h
    void filterEdited(const QString& text);
    void filterFinished();                 ///< no more of its last word follows
    void exported(const QString& outcome); ///< one sentence

private:
    void addPresets();
    void addFormats();
    void popUpGroups();
    void popUpColours();
    void showColumns();
    void exportTable(RunsFormat format);

    const RunsQuery& m_query;
    RunsDataPtr m_data;
    RunRowsPtr m_rows;
    std::string m_colourBy;
    QString m_problem;
    bool m_isOfFilterBefore = false; ///< the rows: they are not exported
    AsyncRunner m_saver;
    Button* m_groupButton;
    Button* m_columnsButton;
    Button* m_colourButton;
    Button* m_exportButton;
    QMenu* m_formats;
    TextLabel* m_counts;
    ChoiceList* m_groupList;
    ChoiceList* m_columnList;
    ChoiceList* m_colourList;
    FilterField* m_filter;
};

} // namespace cairn::ui
