// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_bar.h"

#include "ui/charts/chart_export.h"
#include "ui/pages/runs/choice_list.h"
#include "ui/pages/runs/filter_field.h"
#include "ui/pages/runs/run_colours.h"
#include "ui/pages/runs/run_relation.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr qsizetype kMaxNames = 18;        ///< letters of the settings on the button
constexpr std::size_t kMostCompleted = 24; ///< of a setting, that the filter completes

} // namespace

RunsBar::RunsBar(QWidget* page, const RunsQuery& query)
    : QWidget(page), m_query(query), m_groupButton(new Button(tr("Group By"))),
      m_columnsButton(new Button(tr("Columns"))), m_colourButton(new Button(tr("Colour By"))),
      m_exportButton(new Button(tr("Export"))), m_formats(new QMenu(this)),
      m_counts(new TextLabel({}, theme::Tone::Dim)),
      m_groupList(new ChoiceList(tr("Settings to group by"), page)),
      m_columnList(new ChoiceList(tr("Columns of the table"), page)),
      m_colourList(new ChoiceList(tr("What the colours stand for"), page, ChoiceList::Mode::One)),
      m_filter(new FilterField) {
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(2 * theme::kGrid, theme::kGrid, 2 * theme::kGrid, theme::kGrid);
    lines->setSpacing(theme::kGrid);
    lines->addWidget(m_filter);
    auto* layout = new QHBoxLayout;
    lines->addLayout(layout);
    layout->setSpacing(theme::kGrid);
    m_counts->setElideMiddle(true);
    auto* choices = new FlowLayout(theme::kGrid); // in a small window they wrap
    layout->addLayout(choices, 1);
    choices->addWidget(m_groupButton);
    choices->addWidget(m_columnsButton);
    choices->addWidget(m_colourButton);
    choices->addWidget(m_counts);
    m_counts->setMinimumHeight(theme::kControlHeight);
    layout->addWidget(m_exportButton);
    addFormats();
    addPresets();
    m_groupButton->setOpensList(true);
    m_columnsButton->setOpensList(true);
    m_colourButton->setOpensList(true);
    connect(m_groupButton, &QPushButton::clicked, this, &RunsBar::popUpGroups);
    connect(m_columnsButton, &QPushButton::clicked, this, &RunsBar::popUpColumns);
    connect(m_groupList, &ChoiceList::changed, this, &RunsBar::groupByChosen);
    connect(m_columnList, &ChoiceList::changed, this, &RunsBar::columnsChosen);
    connect(m_colourButton, &QPushButton::clicked, this, &RunsBar::popUpColours);
    connect(m_colourList, &ChoiceList::changed, this,
            [this](const QStringList& keys) { Q_EMIT colourChosen(keys.value(0)); });
    connect(m_filter, &QLineEdit::textChanged, this, &RunsBar::filterEdited);
    connect(m_filter, &FilterField::finished, this, &RunsBar::filterFinished);
}

void RunsBar::addFormats() {
    const auto add = [&](const QString& label, RunsFormat format) {
        connect(m_formats->addAction(label), &QAction::triggered, this,
                [this, format] { exportTable(format); });
    };
    add(tr("CSV…"), RunsFormat::Csv);
    add(tr("TSV…"), RunsFormat::Tsv);
    add(tr("Markdown…"), RunsFormat::Markdown);
    m_exportButton->setMenu(m_formats);
}

void RunsBar::addPresets() {
    m_groupList->addPreset(tr("All but Seed"), [this] {
        QStringList keys;
        for (const std::size_t setting : groupingSettings(m_data->grid)) {
            const std::string& key = m_data->grid.settings()[setting].key;
            if (!QString::fromStdString(lastPart(key))
                     .contains(QStringLiteral("seed"), Qt::CaseInsensitive)) {
                keys << QString::fromStdString(m_data->grid.nameOf(GridColumn::setting(setting)));
            }
        }
        return keys;
    });
    m_groupList->addPreset(tr("None"), [] { return QStringList(); });
    m_columnList->addPreset(tr("Default Columns"),
                            [this] { return toStrings(columnKeys(m_data->grid, {}, false)); });
}

void RunsBar::show(RunsDataPtr from, const RunsArrangement& arrangement,
                   const std::string& colourBy) {
    const bool isOther = from != m_data;
    m_data = std::move(from);
    m_rows = arrangement.rows;
    m_isOfFilterBefore = arrangement.isOfFilterBefore;
    m_colourBy = colourBy;
    if (isOther) {
        showColumns();
    }
    QStringList names;
    for (const std::size_t setting : arrangement.groups.settings) {
        names << text::fromCore(lastPart(m_data->grid.settings()[setting].key));
    }
    const QString all = names.join(QStringLiteral(", "));
    const QString shown =
        all.size() <= kMaxNames ? all : tr("%Ln settings", nullptr, static_cast<int>(names.size()));
    m_groupButton->setText(names.isEmpty() ? tr("Group By")
                                           : text::withoutMnemonic(tr("Group by %1").arg(shown)));
    text::setToolTip(m_groupButton,
                     all.isEmpty() ? tr("Show runs with equal settings as one row") : all);
    const QString colours =
        m_colourBy.empty() || m_data == nullptr ? QString() : columnTitle(m_data->grid, m_colourBy);
    m_colourButton->setText(
        colours.isEmpty()
            ? tr("Colour By")
            : text::withoutMnemonic(tr("Colour by %1")
                                        .arg(colours.size() <= kMaxNames
                                                 ? colours
                                                 : colours.left(kMaxNames - 1) + QChar(0x2026))));
    text::setToolTip(m_colourButton, colours.isEmpty()
                                         ? tr("Each run has its own colour")
                                         : tr("Curves and lines are coloured by %1").arg(colours));
    m_colourButton->setEnabled(m_data != nullptr && !relationKeys(m_data->grid).empty());
    for (Button* button : {m_groupButton, m_columnsButton, m_colourButton}) {
        button->updateGeometry();
    }
    m_groupButton->setEnabled(m_data != nullptr && !groupingSettings(m_data->grid).empty());
    m_exportButton->setEnabled(!m_rows->rows.empty());
}

/// What the filter may name: columns, and the values of settings.
void RunsBar::showColumns() {
    std::vector<FilterField::Column> columns;
    if (m_data != nullptr) {
        const RunGrid& grid = m_data->grid;
        for (const std::string& key : allColumnKeys(grid)) {
            const auto column = gridColumn(grid, key);
            if (!column) {
                continue;
            }
            FilterField::Column& each = columns.emplace_back();
            each.name = text::fromCore(grid.nameOf(*column));
            if (column->kind == GridColumn::Kind::Setting) {
                const GridSetting& setting = grid.settings()[column->index];
                each.name = columnTitle(grid, key); // the last part, where that is enough
                for (const SettingValue& value : setting.values) {
                    if (setting.values.size() <= kMostCompleted) {
                        each.values << text::fromCore(value.text);
                    }
                }
            }
        }
    }
    m_filter->setColumns(std::move(columns));
}

void RunsBar::setFilter(const QString& text) {
    if (text != m_filter->text()) {
        const QSignalBlocker quiet(m_filter);
        m_filter->setText(text);
    }
}

void RunsBar::setLeftOut(int columns) {
    m_columnsButton->setText(columns == 0 ? tr("Columns") : tr("Columns (+%1)").arg(columns));
    text::setToolTip(m_columnsButton, columns == 0 ? tr("Choose the columns of the table")
                                                   : tr("%Ln columns are hidden for lack of space",
                                                        nullptr, columns));
    m_columnsButton->updateGeometry();
}

void RunsBar::setCounts(const QString& counts) {
    m_counts->setText(counts);
}

QString RunsBar::counts() const {
    return m_counts->text();
}

void RunsBar::setProblem(const QString& problem) {
    m_problem = problem;
    m_filter->setProblem(problem);
}

void RunsBar::popUpColours() {
    std::vector<ChoiceList::Choice> choices{
        {QString::fromLatin1(kOwnColours), tr("Each run its own"), m_colourBy.empty()}};
    for (const std::string& key : relationKeys(m_data->grid)) {
        choices.push_back(
            {QString::fromStdString(key), columnFullTitle(m_data->grid, key), key == m_colourBy});
    }
    m_colourList->setChoices(choices);
    m_colourList->popUp(*m_colourButton);
}

void RunsBar::popUpGroups() {
    std::vector<ChoiceList::Choice> choices;
    for (const std::size_t setting : groupingSettings(m_data->grid)) {
        const std::string name = m_data->grid.nameOf(GridColumn::setting(setting));
        choices.push_back({QString::fromStdString(name),
                           text::fromCore(m_data->grid.settings()[setting].key),
                           std::ranges::find(m_query.groupBy, name) != m_query.groupBy.end()});
    }
    m_groupList->setChoices(choices);
    m_groupList->popUp(*m_groupButton);
}

void RunsBar::popUpColumns() {
    const std::vector<std::string> shown = columnKeys(m_data->grid, m_query.columns, false);
    std::vector<ChoiceList::Choice> choices;
    for (const std::string& key : allColumnKeys(m_data->grid)) {
        choices.push_back({QString::fromStdString(key), columnFullTitle(m_data->grid, key),
                           std::ranges::find(shown, key) != shown.end()});
    }
    m_columnList->setChoices(choices);
    m_columnList->popUp(*m_columnsButton);
}

void RunsBar::exportTable(RunsFormat format) {
    Q_EMIT filterFinished();
    const QString suffix = format == RunsFormat::Csv   ? QStringLiteral("csv")
                           : format == RunsFormat::Tsv ? QStringLiteral("tsv")
                                                       : QStringLiteral("md");
    auto* dialog = new QFileDialog(this, tr("Export"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->setNameFilter(QStringLiteral("*.") + suffix);
    dialog->selectFile(QStringLiteral("runs.") + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, [this, format](const QString& path) {
        if (m_isOfFilterBefore) { // still being arranged
            Q_EMIT exported(m_problem);
            return;
        }
        m_saver.start(
            [rows = m_rows, format, path](const CancelToken& cancel) {
                return saveExport(path, exportRuns(*rows, format), cancel);
            },
            [this](const Result<QString>& saved) {
                Q_EMIT exported(saved ? tr("Exported: %1").arg(*saved)
                                      : text::describe(saved.error()).title);
            });
    });
    dialog->open();
}

} // namespace cairn::ui
