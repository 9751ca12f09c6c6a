// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/marked_curves.h"

#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/export_action.h"
#include "ui/charts/parallel_plot.h"
#include "ui/charts/scatter_plot.h"
#include "ui/navigator/run_names.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/run_colours.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

constexpr qsizetype kMaxNotes = 6;

/// A row with marks.
struct MarkedRow {
    const RunRows::Row* row;
    std::vector<std::pair<std::size_t, int>> runs; ///< with their slots
    int slot() const { return runs.front().second; }
};

/// By their slots.
std::vector<MarkedRow> markedRows(const RunsDataPtr& data, const RunRows& rows,
                                  const RunMarks& marks) {
    std::vector<MarkedRow> marked;
    const bool isAlone = data != nullptr && data->grid.rows().size() == 1; // needs no mark
    for (const RunRows::Row& row : rows.rows) {
        MarkedRow found{&row, {}};
        for (std::size_t i = 0; i < row.runs.size(); ++i) {
            const int slot = isAlone ? 0 : marks.slotOf(row.paths[i]);
            if (slot >= 0) {
                found.runs.emplace_back(row.runs[i], slot);
            }
        }
        if (!found.runs.empty()) {
            marked.push_back(std::move(found));
        }
        if (marked.size() > MarkedCurves::kMaxLines) {
            break;
        }
    }
    return marked;
}

} // namespace

MarkedCurves::MarkedCurves(QWidget* parent)
    : QWidget(parent), m_controls(new ChartControls(m_board)), m_grid(new ChartGrid(m_board)),
      m_footer(new RunsFooter(m_board.turns())) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_controls);
    column->addWidget(m_grid, 1);
    m_grid->setFooter(m_footer);
    m_controls->hide();
    connectControls();
    connectPlots();
    updateCharts();
}

MarkedCurves::~MarkedCurves() {
    delete m_grid; // before the board that its charts refer to
    delete m_controls;
}

void MarkedCurves::connectControls() {
    connect(&m_charts, &RunCharts::namesChanged, this, &MarkedCurves::updateCharts);
    connect(&m_charts, &RunCharts::made, this, [this](const QString& name) {
        m_board.turns().add(this, [this, name] { m_grid->refill(name); });
    });
    connect(m_grid, &ChartGrid::curveClicked, this, [this](int slot) {
        const auto runs = m_lineRuns.find(slot);
        if (m_data != nullptr && runs != m_lineRuns.end()) {
            Q_EMIT runClicked(m_data->experiment.runs[runs->second.front()].path);
        }
    });
    connect(m_controls, &ChartControls::stateChanged, this, &MarkedCurves::stateChanged);
    connect(m_controls, &ChartControls::axisChosen, this, [this] {
        m_charts.setAxis(m_controls->axis());
        m_board.resetExtent();
        m_grid->refill();
    });
    connect(m_controls, &ChartControls::tablesToggled, m_grid, &ChartGrid::setTablesShown);
    connect(m_controls, &ChartControls::exportRequested, this,
            [this](ExportFormat format) { exportCharts(m_grid->exportedNames(), format); });
    connect(m_grid, &ChartGrid::exportRequested, this,
            [this](const QString& name, ExportFormat format) { exportCharts({name}, format); });
}

void MarkedCurves::connectPlots() {
    connect(m_footer->relation(), &RelationCards::menuRequested, this,
            [this](RelationPlot* plot, const QPoint& global) {
                popUpPictureMenu(*this, global,
                                 [this, plot](ExportFormat format) { exportPlot(*plot, format); });
            });
}

void MarkedCurves::show(const RunsDataPtr& from, const RunsArrangement& arrangement,
                        const RunMarks& marks, const std::string& colourBy) {
    m_data = from;
    const RunRows& rows = *arrangement.rows;
    std::vector<MarkedRow> marked = markedRows(from, rows, marks);
    m_cut = marked.size() > kMaxLines;
    marked.resize(std::min(marked.size(), kMaxLines));
    std::ranges::stable_sort(marked, {}, &MarkedRow::slot);
    m_lineRuns.clear();
    QStringList keys;
    for (const MarkedRow& each : marked) {
        for (const auto& [run, slot] : each.runs) {
            m_lineRuns[each.slot()].push_back(run);
        }
        keys << QString::number(each.slot()) + QLatin1Char('\n') + each.row->name;
        for (const auto& [run, slot] : each.runs) {
            const std::filesystem::path& path = from->experiment.runs[run].path;
            keys << text::fromPath(path)
                 << (marks.contains(path) ? QStringLiteral("*") : QString());
        }
    }
    colour(arrangement, colourBy);
    if (keys == m_keys) {
        return;
    }
    m_keys = keys;
    std::vector<RunCharts::Line> lines;
    for (const MarkedRow& each : marked) {
        RunCharts::Line& line = lines.emplace_back();
        line.slot = each.slot();
        line.isMarked = marks.contains(from->experiment.runs[each.runs.front().first].path);
        line.name = each.row->name;
        line.isGroup = rows.grouped;
        for (const auto& [index, slot] : each.runs) {
            const ScannedRun& run = from->experiment.runs[index];
            line.runs.push_back({run.path, from->experiment.path,
                                 words::runName(from->experiment, run), run, slot});
        }
    }
    m_charts.setLines(std::move(lines));
}

/// A group has the middle of the places of its runs.
void MarkedCurves::colour(const RunsArrangement& arrangement, const std::string& choice) {
    ChartContent few;
    few.curves.resize(m_lineRuns.size());
    const bool isMany = few.isMany();
    m_colourBy = m_data != nullptr ? colourKey(m_data->grid, choice, isMany) : std::string();
    CurveColours colours;
    if (!m_colourBy.empty()) {
        const RunColours runs = colourRuns(m_data->grid, arrangement.matching, m_colourBy);
        std::map<std::size_t, double> shareOf;
        for (const auto& [row, share] : runs.shares) {
            shareOf.emplace(m_data->grid.rows()[row].run, share);
        }
        colours.scale = runs.scale;
        for (const auto& [slot, members] : m_lineRuns) {
            double sum = 0;
            int known = 0;
            for (const std::size_t run : members) {
                if (const auto share = shareOf.find(run); share != shareOf.end()) {
                    sum += share->second;
                    ++known;
                }
            }
            if (known > 0) {
                colours.shares.emplace(slot, sum / known);
            }
        }
    }
    m_grid->setColours(std::move(colours));
    m_grid->setWithLists(isMany);
}

void MarkedCurves::setFaint(std::set<int> slotNumbers) {
    m_grid->setFaint(std::move(slotNumbers));
}

bool MarkedCurves::hasCurves() const {
    return m_charts.hasLines() && !m_charts.names().empty();
}

bool MarkedCurves::isSettled() const {
    return m_charts.isSettled() && m_footer->relation()->isSettled() && m_board.turns().isEmpty();
}

void MarkedCurves::updateCharts() {
    const std::vector<QString>& names =
        m_charts.hasLines() ? m_charts.names() : std::vector<QString>();
    m_controls->setVisible(!names.empty());
    if (!names.empty()) {
        m_controls->setAxes(m_charts.axes(), {});
        m_charts.setAxis(m_controls->axis());
    }
    m_board.resetExtent();
    m_grid->setCharts(
        names, [this](const QString& name) { return m_charts.content(name); },
        m_charts.hasLines() ? m_charts.loneNames() : std::vector<QString>());
    QStringList notes = m_charts.problems();
    for (const Notice& notice : m_data != nullptr ? m_data->notices : std::vector<Notice>()) {
        notes << text::describe(notice.error).title;
    }
    m_footer->showNotes(notes.mid(0, kMaxNotes));
    Q_EMIT chartsChanged();
}

void MarkedCurves::exportCharts(const std::vector<QString>& names, ExportFormat format) {
    std::vector<ChartContent> shown;
    for (const QString& name : names) {
        shown.push_back(m_grid->contentOf(name));
    }
    askAndExport(*this, m_saver, ChartExport(std::move(shown), m_board), format,
                 QStringLiteral("runs"), [this](const QString& line) { Q_EMIT exported(line); });
}

void MarkedCurves::addPlotExports(QMenu& menu) {
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

void MarkedCurves::exportPlot(const RelationPlot& plot, ExportFormat format) {
    askAndExportPicture(
        *this, m_saver, [&plot, format] { return plot.picture(format); }, format,
        plot.accessibleName(), [this](const QString& line) { Q_EMIT exported(line); });
}

} // namespace cairn::ui
