// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_arrangement.h"

#include "ui/bridge/release_on_worker.h"
#include "ui/navigator/run_names.h"
#include "ui/text/plain_text.h"
#include "ui/text/program_numbers.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cairn::ui {
namespace {

struct ArrangementWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::RunsPage)
};

/// Fills the rows of one arrangement.
class Arranger {
public:
    Arranger(const RunsData& data, const RunsQuery& query, RunsArrangement& out)
        : m_data(data), m_grid(data.grid), m_query(query), m_out(out) {}

    void arrange() {
        std::vector<std::size_t> keys;
        for (const std::string& key : m_query.groupBy) {
            const auto column = gridColumn(m_grid, key);
            if (column && column->kind == GridColumn::Kind::Setting) {
                keys.push_back(column->index);
            }
        }
        m_rows->grouped = !keys.empty();
        m_rows->all = m_grid.rows().size();
        m_rows->matching = m_out.matching.size();
        sortBestFirst();
        addColumns(keys);
        const auto sortBy =
            m_query.sorted ? gridColumn(m_grid, m_query.sortKey) : std::optional<GridColumn>();
        if (m_rows->grouped) {
            m_out.groups = groupRuns(m_grid, m_out.matching, std::move(keys));
            sortGroupsBy(sortBy);
            for (const RunGroup& group : m_out.groups.groups) {
                addGroup(group);
            }
        } else {
            std::vector<std::uint32_t> order = m_out.matching;
            if (m_query.sorted && m_query.sortKey == kNoteKey) {
                std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
                    const QString left = noteOf(m_query.descending ? b : a);
                    const QString right = noteOf(m_query.descending ? a : b);
                    return left.localeAwareCompare(right) < 0;
                });
            } else if (sortBy) {
                sortRuns(m_grid, order, *sortBy, m_query.descending);
            }
            for (const std::uint32_t row : order) {
                addRun(row);
            }
        }
        markBest();
        m_out.rows = sharedForGui(RunRowsPtr(std::move(m_rows)));
    }

private:
    /// Unless the user chose an order, or no metric has a better direction.
    void sortBestFirst() {
        const auto lead = m_grid.leadMetric();
        const bool isKnown = lead && m_grid.metrics()[*lead].better != names::Direction::Unknown;
        if (!m_query.sorted && isKnown) {
            m_query.sorted = true;
            m_query.sortKey = m_grid.nameOf(GridColumn::metric(*lead));
            m_query.descending = m_grid.metrics()[*lead].better == names::Direction::Larger;
        }
        m_rows->sortKey = m_query.sorted ? m_query.sortKey : std::string();
        m_rows->descending = m_query.descending;
    }

    void addColumns(const std::vector<std::size_t>& keys) {
        std::vector<std::string> shown = columnKeys(m_grid, m_query.columns, m_rows->grouped);
        const bool noted = std::ranges::any_of(m_grid.rows(), [this](const GridRow& row) {
            return !m_query.notes->of(row.path).isEmpty();
        });
        if (noted && !m_rows->grouped) {
            shown.insert(shown.begin() + 1, kNoteKey);
        }
        for (const std::string& key : shown) {
            RunRows::Column column{key, columnTitle(m_grid, key), columnFullTitle(m_grid, key)};
            const auto at = gridColumn(m_grid, key);
            const bool isKey = at && at->kind == GridColumn::Kind::Setting &&
                               std::ranges::find(keys, at->index) != keys.end();
            const bool isSetting = at && at->kind == GridColumn::Kind::Setting;
            if (m_rows->grouped && isSetting && !isKey) {
                continue; // it differs within a group
            }
            column.curve = key == kCurveKey;
            const std::vector<std::string>& asked = m_query.columns.shown;
            column.optional = key != kNameKey && key != kCountKey && key != kNoteKey && !isKey &&
                              key != m_query.sortKey &&
                              std::ranges::find(asked, key) == asked.end();
            column.right = key == kCountKey || (at && isNumeric(*at));
            if (key == kNameKey && m_rows->grouped) {
                column.title = ArrangementWords::tr("group");
            }
            m_rows->columns.push_back(std::move(column));
            m_columns.push_back(at);
        }
    }

    [[nodiscard]] bool isNumeric(GridColumn column) const {
        switch (column.kind) {
        case GridColumn::Kind::Setting:
            return m_grid.settings()[column.index].isNumeric;
        case GridColumn::Kind::Metric:
            return true;
        case GridColumn::Kind::Fact:
            break;
        }
        const auto fact = static_cast<RunFact>(column.index);
        return fact == RunFact::Step || fact == RunFact::Checkpoints || fact == RunFact::Bytes ||
               fact == RunFact::Duration;
    }

    void sortGroupsBy(const std::optional<GridColumn>& column) {
        std::vector<RunGroup>& groups = m_out.groups.groups;
        const auto byCount = [&](const RunGroup& a, const RunGroup& b) {
            return m_query.descending ? a.rows.size() > b.rows.size()
                                      : a.rows.size() < b.rows.size();
        };
        if (m_query.sorted && m_query.sortKey == kCountKey) {
            std::ranges::stable_sort(groups, byCount);
        } else if (m_query.sorted && m_query.sortKey == kNameKey) {
            if (m_query.descending) { // the core's order is by the key
                std::ranges::reverse(groups);
            }
        } else if (column) {
            sortGroups(m_grid, m_out.groups, *column, m_query.descending);
        }
    }

    [[nodiscard]] QString noteOf(std::uint32_t row) const {
        return m_query.notes->of(m_grid.rows()[row].path);
    }

    RunRows::Row& add(QString key, QString name) {
        m_rows->rows.emplace_back();
        RunRows::Row& row = m_rows->rows.back();
        row.key = std::move(key);
        row.name = std::move(name);
        return row;
    }

    void addCell(RunRows::Row& row, RunRows::Cell cell) {
        QString& widest = m_rows->columns[row.cells.size()].widest;
        if (cell.text.size() > widest.size()) {
            widest = cell.text;
        }
        row.cells.push_back(std::move(cell));
    }

    void addRun(std::uint32_t at) {
        const GridRow& run = m_grid.rows()[at];
        RunRows::Row& row = add(text::fromCore(run.id),
                                words::runName(m_data.experiment, m_data.experiment.runs[run.run]));
        row.runs = {run.run};
        row.paths = {run.path};
        row.outline = m_grid.outline(at).values;
        m_values.emplace_back();
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            const auto& column = m_columns[i];
            RunRows::Cell cell;
            const auto words = [&]() -> QString {
                return i == 0                               ? row.name
                       : column                             ? cellText(m_grid, at, *column)
                       : m_rows->columns[i].key == kNoteKey ? noteOf(at).simplified()
                                                            : QString();
            };
            cell.text = words();
            cell.tip = m_rows->columns[i].key == kNoteKey ? noteOf(at) : QString();
            cell.plain = text::forPrograms(words);
            if (column && column->kind == GridColumn::Kind::Setting) {
                cell.plain = text::fromCore(m_grid.cell(at, *column).text);
                cell.tip = cell.plain != cell.text ? cell.plain : QString();
            }
            m_values.back().push_back(column ? m_grid.number(at, *column).value_or(NAN) : NAN);
            addCell(row, std::move(cell));
        }
    }

    void addGroup(const RunGroup& group) {
        const QString full = text::fromCore(groupLabel(m_grid, m_out.groups, group));
        const QString name = text::fromCore(shortGroupLabel(m_grid, m_out.groups, group));
        RunRows::Row& row = add(QStringLiteral("group\n") + full, name);
        for (const std::uint32_t at : group.rows) {
            row.runs.push_back(m_grid.rows()[at].run);
            row.paths.push_back(m_grid.rows()[at].path);
        }
        const auto best = m_grid.leadMetric() ? bestRowOf(m_grid, group.rows, *m_grid.leadMetric())
                                              : std::nullopt;
        row.outline = m_grid.outline(best.value_or(group.rows.front())).values;
        m_values.emplace_back();
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            m_values.back().push_back(NAN);
            const auto cell = [&] {
                return i == 0 ? RunRows::Cell{name, full} : groupCell(group, i);
            };
            RunRows::Cell shown = cell();
            shown.plain = text::forPrograms([&] { return cell().text; });
            addCell(row, std::move(shown));
        }
    }

    RunRows::Cell groupCell(const RunGroup& group, std::size_t at) {
        if (m_rows->columns[at].key == kCountKey) {
            return {text::count(group.rows.size())};
        }
        const auto& column = m_columns[at];
        if (!column) {
            return {};
        }
        if (column->kind == GridColumn::Kind::Setting) {
            return {cellText(m_grid, group.rows.front(), *column)};
        }
        if (!isNumeric(*column)) {
            return commonText(group, *column);
        }
        const Figures figures =
            groupFigures(m_grid, group, *column, {Aggregate::Mean, Aggregate::Std});
        if (figures.n == 0) {
            return {};
        }
        if (*column == GridColumn::of(RunFact::Bytes)) { // of the group: their sum
            return {text::bytes(static_cast<std::uint64_t>(
                figures.of(Aggregate::Mean) * static_cast<double>(figures.n) + 0.5))};
        }
        m_values.back().back() = figures.of(Aggregate::Mean);
        RunRows::Cell cell{meanText(figures, *column)};
        cell.tip = ArrangementWords::tr("Mean and standard deviation of %Ln runs", nullptr,
                                        static_cast<int>(figures.n));
        if (figures.n < group.rows.size()) {
            cell.text += QStringLiteral(" n") + text::count(figures.n);
        }
        return cell;
    }

    /// What all runs have, or how many different texts there are.
    RunRows::Cell commonText(const RunGroup& group, GridColumn column) const {
        std::set<QString> texts;
        for (const std::uint32_t at : group.rows) {
            texts.insert(cellText(m_grid, at, column));
        }
        if (texts.size() == 1) {
            return {*texts.begin()};
        }
        RunRows::Cell cell;
        cell.text = ArrangementWords::tr("%Ln values", nullptr, static_cast<int>(texts.size()));
        cell.dim = true;
        return cell;
    }

    /// The best value of each metric whose better direction is known.
    void markBest() {
        for (std::size_t i = 0; i < m_columns.size() && m_rows->rows.size() > 1; ++i) {
            const auto& column = m_columns[i];
            if (!column || column->kind != GridColumn::Kind::Metric ||
                column->part == MetricPart::BestStep || column->part == MetricPart::LastStep) {
                continue;
            }
            const names::Direction better = m_grid.metrics()[column->index].better;
            if (better == names::Direction::Unknown) {
                continue;
            }
            double best = NAN;
            for (const std::vector<double>& row : m_values) {
                const bool wins =
                    better == names::Direction::Larger ? row[i] > best : row[i] < best;
                best = (std::isnan(best) || wins) && std::isfinite(row[i]) ? row[i] : best;
            }
            for (std::size_t row = 0; row < m_values.size(); ++row) {
                m_rows->rows[row].cells[i].good = m_values[row][i] == best;
            }
        }
    }

    const RunsData& m_data;
    const RunGrid& m_grid;
    RunsQuery m_query;
    RunsArrangement& m_out;
    std::shared_ptr<RunRows> m_rows = std::make_shared<RunRows>();
    std::vector<std::optional<GridColumn>> m_columns; ///< of the shown columns
    std::vector<std::vector<double>> m_values;        ///< numbers of the cells
};

QString quoted(const QString& text, RunsFormat format) {
    QString cell = text;
    if (format == RunsFormat::Markdown) {
        return cell.replace(QLatin1Char('\\'), QStringLiteral("\\\\"))
            .replace(QLatin1Char('|'), QStringLiteral("\\|"));
    }
    if (format == RunsFormat::Tsv) {
        return cell.replace(QLatin1Char('\t'), QLatin1Char(' '));
    }
    const bool special = cell.contains(QLatin1Char(',')) || cell.contains(QLatin1Char('"'));
    return special ? QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
                         QLatin1Char('"')
                   : cell;
}

} // namespace

Result<RunsArrangement> arrangeRuns(const RunsData& data, const RunsQuery& query,
                                    const CancelToken& cancel) {
    RunsArrangement arrangement;
    Result<std::vector<std::uint32_t>> matching = filterRuns(data.grid, query.filter);
    if (!matching) {
        arrangement.problem = matching.error();
        matching = filterRuns(data.grid, query.validFilter);
    } else if (matching->empty() && query.isUnfinished) {
        arrangement.isOfFilterBefore = true;
        matching = filterRuns(data.grid, query.validFilter);
    }
    arrangement.matching = matching ? std::move(*matching) : allRuns(data.grid);
    CAIRN_CHECK(cancel.check());
    Arranger(data, query, arrangement).arrange();
    return arrangement;
}

TextGrid reportGrid(const RunRows& rows) {
    TextGrid grid;
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
        if (!rows.columns[i].curve) {
            columns.push_back(i);
            grid.titles.push_back(rows.columns[i].title.toStdString());
            grid.isNumber.push_back(rows.columns[i].right);
        }
    }
    for (const RunRows::Row& row : rows.rows) {
        std::vector<std::string>& cells = grid.rows.emplace_back();
        for (const std::size_t column : columns) {
            const RunRows::Cell& cell = row.cells[column];
            cells.push_back((cell.plain.isEmpty() ? cell.text : cell.plain).toStdString());
        }
    }
    return grid;
}

QByteArray exportRuns(const RunRows& rows, RunsFormat format) {
    std::vector<std::size_t> columns;
    QStringList titles;
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
        if (!rows.columns[i].curve) {
            columns.push_back(i);
            titles << quoted(rows.columns[i].title, format);
        }
    }
    const bool markdown = format == RunsFormat::Markdown;
    const QString between = markdown                    ? QStringLiteral(" | ")
                            : format == RunsFormat::Csv ? QStringLiteral(",")
                                                        : QStringLiteral("\t");
    const auto line = [&](const QStringList& cells) {
        const QString text = cells.join(between);
        return ((markdown ? QStringLiteral("| %1 |").arg(text) : text) + QLatin1Char('\n'))
            .toUtf8();
    };
    QByteArray bytes = line(titles);
    if (markdown) {
        QStringList rules;
        for (const std::size_t column : columns) {
            rules << (rows.columns[column].right ? QStringLiteral("---:") : QStringLiteral("---"));
        }
        bytes += line(rules);
    }
    for (const RunRows::Row& row : rows.rows) {
        QStringList cells;
        for (const std::size_t column : columns) {
            const RunRows::Cell& cell = row.cells[column];
            cells << quoted(markdown || cell.plain.isEmpty() ? cell.text : cell.plain, format);
        }
        bytes += line(cells);
    }
    return bytes;
}

} // namespace cairn::ui
