// SPDX-License-Identifier: GPL-3.0-or-later
// The link between the table, the curves, the scatter plot and the parallel coordinates: runs that
// are chosen in one of them are chosen in all.
#include "ui/charts/chart_grid.h"
#include "ui/charts/export_action.h"
#include "ui/charts/parallel_plot.h"
#include "ui/charts/scatter_plot.h"
#include "ui/models/row_view.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_page.h"

#include <QItemSelectionModel>
#include <QMenu>
#include <QScopedValueRollback>

#include <set>

namespace cairn::ui {

void RunsPage::addPlotExports(QMenu& menu) {
    menu.addSeparator();
    const RelationCards& cards = *m_footer->relation();
    const auto add = [this, &menu](const QString& title, RelationPlot* plot) {
        QMenu* formats = menu.addMenu(title);
        for (const ExportFormat format :
             {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf}) {
            connect(formats->addAction(exportTitle(format)), &QAction::triggered, this,
                    [this, plot, format] { exportPlot(*plot, format); });
        }
        connect(&menu, &QMenu::aboutToShow, formats,
                [formats, plot] { formats->setEnabled(plot->relation() != nullptr); });
    };
    add(tr("Scatter Plot"), cards.scatter());
    add(tr("Parallel Coordinates"), cards.parallel());
}

void RunsPage::exportPlot(const RelationPlot& plot, ExportFormat format) {
    askAndExportPicture(
        *this, m_saver, [&plot, format] { return plot.picture(format); }, format,
        plot.accessibleName(), [this](const QString& line) { Q_EMIT statusMessage(line); });
}

void RunsPage::updateRelation() {
    m_footer->relation()->show(m_data, m_arrangement.matching, m_marks);
    if (m_brushes) { // the rows may be others
        chooseBrushed();
    } else {
        relateSelection();
    }
}

/// Selects the rows of the runs that were chosen in a plot, and draws the other curves faintly.
void RunsPage::chooseBrushed() {
    std::set<std::size_t> runs;
    for (const std::uint32_t row : m_footer->relation()->chosenRows()) {
        runs.insert(m_data->grid.rows()[row].run);
    }
    m_brushes = !runs.empty();
    QStringList keys;
    std::set<int> faint;
    for (const RunRows::Row& row : m_arrangement.rows->rows) {
        bool chosen = false;
        for (const std::size_t run : row.runs) {
            chosen = chosen || runs.contains(run);
        }
        if (chosen) {
            keys << row.key;
        } else if (m_brushes) {
            for (const std::filesystem::path& path : row.paths) {
                faint.insert(m_marks.slotOf(path));
            }
        }
    }
    m_grid->setFaint(std::move(faint));
    const QScopedValueRollback quiet(m_quiet, true);
    selectKeys(keys);
    if (const auto rows = m_view->selectionModel()->selectedRows(); !rows.isEmpty()) {
        m_view->scrollTo(rows.front());
    }
    showChosen();
}

/// The rows that are selected in the table, in the plots.
void RunsPage::relateSelection() {
    std::set<std::size_t> runs;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        const RunRows::Row& row = m_model->row(index);
        runs.insert(row.runs.begin(), row.runs.end());
    }
    std::set<std::uint32_t> rows;
    for (const std::uint32_t row : m_arrangement.matching) {
        if (runs.contains(m_data->grid.rows()[row].run)) {
            rows.insert(row);
        }
    }
    m_brushes = false;
    m_grid->setFaint({});
    m_footer->relation()->setChosen(rows);
}

} // namespace cairn::ui
