// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/runs/run_arrangement.h"

#include <QObject>
#include <QStringList>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

class QModelIndex;
class QPoint;

namespace cairn::ui {

class RowView;
class RunTableModel;

/// The table of the Runs page: shows arranged rows, and keeps selection and widths of columns from
/// one arrangement to the next.
class RunsTable : public QObject {
    Q_OBJECT

public:
    explicit RunsTable(QObject* parent);

    RowView* view() const { return m_view; } ///< of the widget that it is added to
    RunTableModel* model() const { return m_model; }
    int wantedHeight() const;

    void show(RunRowsPtr rows);

    // Selection: no signal follows from these.
    void select(const QStringList& keys);
    /// Selects the row of a run, or none for an empty path. False: it is selected already.
    bool selectRun(const std::filesystem::path& run);
    void scrollToSelected();
    std::vector<const RunRows::Row*> selectedRows() const;
    std::vector<std::filesystem::path> selectedRuns() const;

    /// Columns that nobody asked for and for which there is no room: the last ones.
    int leftOut() const { return m_leftOut; }

    /// Of columns, in pixels, as the user chose them.
    const std::map<std::string, int>& widths() const { return m_widths; }
    void setWidth(const std::string& key, int width) { m_widths[key] = width; }

Q_SIGNALS:
    void selectionEdited();
    void markEdited(const std::vector<std::filesystem::path>& runs, bool marked); ///< of a row
    void togglingRequested();               ///< of the marks of the selected rows
    void bestRequested(const QString& key); ///< the best checkpoint of a row
    void copyRequested();                   ///< of the selected rows
    void columnsRequested();
    void sortRequested(int column, Qt::SortOrder order);
    void widthsEdited();
    void columnsFitted(); ///< leftOut() is another number

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildHeader();
    void showOrder();
    void fitColumns();
    void popUpRowMenu(const QPoint& at);

    RunTableModel* m_model;
    RowView* m_view;
    std::map<std::string, int> m_widths;
    int m_leftOut = 0;
    bool m_quiet = false;   ///< the selection changes are our own
    bool m_fitting = false; ///< the widths of the columns are being set
};

} // namespace cairn::ui
