// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/chosen_runs.h"

#include "ui/pages/runs/marked_curves.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_table.h"

#include <algorithm>
#include <set>

namespace cairn::ui {

ChosenRuns::ChosenRuns(RunsTable& table, MarkedCurves& curves)
    : m_table(table), m_curves(curves), m_rows(std::make_shared<const RunRows>()) {
    connect(curves.footer()->relation(), &RelationCards::chosenChanged, this,
            &ChosenRuns::takeBrushed);
}

void ChosenRuns::show(const RunsDataPtr& data, const RunsArrangement& arrangement,
                      const RunMarks& marks) {
    m_data = data;
    m_rows = arrangement.rows;
    m_matching = arrangement.matching;
    m_marks = marks;
    m_curves.footer()->relation()->show(m_data, m_matching, m_marks, m_curves.colourBy());
    if (m_brushes) { // the rows may be others
        takeBrushed();
    } else {
        takeSelection();
    }
}

/// Selects the rows of the runs that were chosen in a plot, and draws the other curves faintly.
void ChosenRuns::takeBrushed() {
    std::set<std::size_t> runs;
    for (const std::uint32_t row : m_curves.footer()->relation()->chosenRows()) {
        runs.insert(m_data->grid.rows()[row].run);
    }
    m_brushes = !runs.empty();
    QStringList keys;
    std::set<int> faint;
    for (const RunRows::Row& row : m_rows->rows) {
        const bool chosen =
            std::ranges::any_of(row.runs, [&](std::size_t run) { return runs.contains(run); });
        if (chosen) {
            keys << row.key;
        } else if (m_brushes) {
            for (const std::filesystem::path& path : row.paths) {
                faint.insert(m_marks.slotOf(path));
            }
        }
    }
    m_curves.setFaint(std::move(faint));
    m_table.select(keys);
    m_table.scrollToSelected();
    Q_EMIT selected();
}

void ChosenRuns::takeSelection() {
    std::set<std::size_t> runs;
    for (const RunRows::Row* row : m_table.selectedRows()) {
        runs.insert(row->runs.begin(), row->runs.end());
    }
    std::set<std::uint32_t> rows;
    for (const std::uint32_t row : m_matching) {
        if (runs.contains(m_data->grid.rows()[row].run)) {
            rows.insert(row);
        }
    }
    m_brushes = false;
    m_curves.setFaint({});
    m_curves.footer()->relation()->setChosen(rows);
}

} // namespace cairn::ui
