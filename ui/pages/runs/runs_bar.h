// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/runs/run_arrangement.h"

#include <QWidget>

class QMenu;

namespace cairn::ui {

class Button;
class ChoiceList;
class TextLabel;

/// Above the table of the Runs page: by what the runs are grouped, which columns are shown, how
/// many runs there are, and the export of the table.
class RunsBar : public QWidget {
    Q_OBJECT

public:
    /// The lists open over `page`. The query outlives the bar.
    RunsBar(QWidget* page, const RunsQuery& query);

    /// Null: there is nothing to choose from.
    void show(RunsDataPtr from, const RunsArrangement& arrangement);
    void setCounts(const QString& counts);
    QString counts() const;
    void popUpColumns();
    QMenu* exportMenu() const { return m_formats; } ///< for what else can be exported

    Button* groupButton() const { return m_groupButton; }
    Button* columnsButton() const { return m_columnsButton; }
    ChoiceList* groupList() const { return m_groupList; }
    ChoiceList* columnList() const { return m_columnList; }

Q_SIGNALS:
    void groupByChosen(const QStringList& keys);
    void columnsChosen(const QStringList& checked);
    void exported(const QString& outcome); ///< one sentence

private:
    void addPresets();
    void addFormats();
    void popUpGroups();
    void exportTable(RunsFormat format);

    const RunsQuery& m_query;
    RunsDataPtr m_data;
    RunRowsPtr m_rows;
    AsyncRunner m_saver;
    Button* m_groupButton;
    Button* m_columnsButton;
    Button* m_exportButton;
    QMenu* m_formats;
    TextLabel* m_counts;
    ChoiceList* m_groupList;
    ChoiceList* m_columnList;
};

} // namespace cairn::ui
