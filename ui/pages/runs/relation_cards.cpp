// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/relation_cards.h"

#include "ui/charts/parallel_plot.h"
#include "ui/charts/scatter_plot.h"
#include "ui/pages/runs/choice_list.h"
#include "ui/pages/runs/run_columns.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QVBoxLayout>
#include <QVariant>

#include <algorithm>
#include <filesystem>

namespace cairn::ui {
namespace {

constexpr int kBothFit = 620;    ///< px from which both cards fit in one row
constexpr int kPlotHeight = 190; ///< px
constexpr int kMostLetters = 22; ///< of a button
const QString kXKey = QStringLiteral("x");
const QString kYKey = QStringLiteral("y");
const QString kAxesKey = QStringLiteral("axes");

void label(Button& button, const QString& title, const QString& tip) {
    const QString shown = title.size() <= kMostLetters
                              ? title
                              : title.left(kMostLetters / 2) + QStringLiteral("…") +
                                    title.right(kMostLetters / 2 - 1);
    button.setText(text::withoutMnemonic(shown));
    text::setToolTip(&button, tip);
    button.updateGeometry();
}

/// Both cards in one row, if their buttons fit there.
void turn(QBoxLayout& cards, int width) {
    int needed = cards.spacing();
    for (int i = 0; i < cards.count(); ++i) {
        needed += cards.itemAt(i)->minimumSize().width();
    }
    cards.setDirection(width >= std::max(kBothFit, needed) ? QBoxLayout::LeftToRight
                                                           : QBoxLayout::TopToBottom);
}

} // namespace

RelationCards::RelationCards(QWidget* parent)
    : QWidget(parent), m_cards(new QBoxLayout(QBoxLayout::TopToBottom, this)),
      m_scatterCard(new Card), m_parallelCard(new Card), m_xButton(new Button(QString())),
      m_yButton(new Button(QString())), m_axesButton(new Button(tr("Axes"))),
      m_columns(new ChoiceList(tr("Column of the axis"), this, ChoiceList::Mode::One)),
      m_axes(new ChoiceList(tr("Axes of the parallel coordinates"), this)),
      m_scatter(new ScatterPlot), m_parallel(new ParallelPlot) {
    build();
    connect(m_xButton, &QPushButton::clicked, this, [this] { popUpColumns(true); });
    connect(m_yButton, &QPushButton::clicked, this, [this] { popUpColumns(false); });
    connect(m_axesButton, &QPushButton::clicked, this, &RelationCards::popUpAxes);
    connect(m_columns, &ChoiceList::changed, this, [this](const QStringList& keys) {
        (m_choosesX ? m_choice.x : m_choice.y) = keys.value(0).toStdString();
        refresh();
        Q_EMIT stateChanged();
    });
    connect(m_axes, &ChoiceList::changed, this, [this](const QStringList& keys) {
        m_choice.axes.clear();
        for (const QString& key : keys) {
            m_choice.axes.push_back(key.toStdString());
        }
        const bool had = m_parallel->hasBrush();
        refresh();
        if (had) { // an axis with a brush may be gone
            chooseRows(m_parallel->brushed());
        }
        Q_EMIT stateChanged();
    });
    m_axes->addPreset(tr("Default Axes"), [this] {
        QStringList keys;
        for (const std::string& key : settled(m_data->grid, {}).axes) {
            keys << QString::fromStdString(key);
        }
        return keys;
    });
    connect(m_scatter, &ScatterPlot::chosenChanged, this, [this] {
        m_parallel->clearBrushes();
        chooseRows(m_scatter->chosen());
    });
    connect(m_scatter, &ScatterPlot::pointClicked, this, &RelationCards::runClicked);
    connect(m_parallel, &ParallelPlot::brushesChanged, this,
            [this] { chooseRows(m_parallel->brushed()); });
    for (RelationPlot* plot :
         {static_cast<RelationPlot*>(m_scatter), static_cast<RelationPlot*>(m_parallel)}) {
        connect(plot, &RelationPlot::menuRequested, this,
                [this, plot](const QPoint& global) { Q_EMIT menuRequested(plot, global); });
    }
    hide();
}

void RelationCards::build() {
    m_cards->setContentsMargins(0, 0, 0, 0);
    m_cards->setSpacing(2 * theme::kGrid - 2);
    const auto fill = [this](Card& card, const std::vector<QWidget*>& head, QWidget* plot,
                             int stretch) {
        card.layout()->setContentsMargins(2 * theme::kGrid - 2, theme::kGrid + 3, theme::kGrid + 2,
                                          theme::kGrid);
        auto* row = new QHBoxLayout;
        row->setSpacing(theme::kGrid);
        for (QWidget* each : head) {
            row->addWidget(each);
        }
        row->addStretch(1);
        card.content()->setSpacing(theme::kGrid);
        card.content()->addLayout(row);
        plot->setMinimumHeight(kPlotHeight);
        card.content()->addWidget(plot, 1);
        m_cards->addWidget(&card, stretch);
    };
    auto* against = captionLabel(tr("against"));
    against->setMinimumWidth(against->sizeHint().width()); // the buttons shorten their names
    fill(*m_scatterCard, {m_yButton, against, m_xButton}, m_scatter, 2);
    fill(*m_parallelCard, {captionLabel(tr("Parallel coordinates")), m_axesButton}, m_parallel, 3);
    for (Button* button : {m_xButton, m_yButton, m_axesButton}) {
        button->setOpensList(true);
    }
}

void RelationCards::show(RunsDataPtr from, std::vector<std::uint32_t> rows, const RunMarks& marks) {
    std::set<std::filesystem::path> before; // the grid may be another one
    for (const std::uint32_t row : chosenRows()) {
        before.insert(m_data->grid.rows()[row].path);
    }
    m_data = std::move(from);
    m_rows = std::move(rows);
    m_marks = marks;
    std::set<std::uint32_t> chosen;
    for (const std::uint32_t row : m_rows) {
        if (!before.empty() && before.contains(m_data->grid.rows()[row].path)) {
            chosen.insert(row);
        }
    }
    m_chosen = itemsOf(chosen);
    refresh();
}

void RelationCards::refresh() {
    m_shown = m_data != nullptr ? settled(m_data->grid, m_choice) : RelationChoice();
    const bool shown = !m_shown.x.empty() && !m_rows.empty();
    setVisible(shown);
    if (!shown) {
        m_chosen.clear();
        m_scatter->show(nullptr);
        m_parallel->show(nullptr);
        return;
    }
    const std::vector<std::string> both{m_shown.x, m_shown.y};
    m_scatter->show(relate(m_data->grid, m_rows, both, m_marks));
    m_parallel->show(relate(m_data->grid, m_rows, m_shown.axes, m_marks));
    if (m_parallel->hasBrush()) {
        m_chosen = m_parallel->brushed(); // of rows that came, too
    }
    m_scatter->setChosen(m_chosen);
    m_parallel->setChosen(m_chosen);
    const auto titled = [this](Button& button, const std::string& key, const QString& tip) {
        label(button, columnTitle(m_data->grid, key), tip.arg(columnFullTitle(m_data->grid, key)));
        button.setAccessibleName(tip.arg(columnFullTitle(m_data->grid, key)));
    };
    titled(*m_xButton, m_shown.x, tr("Horizontal axis: %1"));
    titled(*m_yButton, m_shown.y, tr("Vertical axis: %1"));
    turn(*m_cards, width());
}

void RelationCards::popUpColumns(bool x) {
    m_choosesX = x;
    const std::string& current = x ? m_shown.x : m_shown.y;
    std::vector<ChoiceList::Choice> choices;
    for (const std::string& key : relationKeys(m_data->grid)) {
        choices.push_back(
            {QString::fromStdString(key), columnFullTitle(m_data->grid, key), key == current});
    }
    m_columns->setChoices(choices);
    m_columns->popUp(x ? *m_xButton : *m_yButton);
}

void RelationCards::popUpAxes() {
    std::vector<ChoiceList::Choice> choices;
    for (const std::string& key : relationKeys(m_data->grid)) {
        choices.push_back({QString::fromStdString(key), columnFullTitle(m_data->grid, key),
                           std::ranges::find(m_shown.axes, key) != m_shown.axes.end()});
    }
    m_axes->setChoices(choices);
    m_axes->popUp(*m_axesButton);
}

void RelationCards::chooseRows(const std::vector<bool>& chosen) {
    m_chosen = chosen;
    m_scatter->setChosen(chosen);
    m_parallel->setChosen(chosen);
    Q_EMIT chosenChanged();
}

std::vector<bool> RelationCards::itemsOf(const std::set<std::uint32_t>& rows) const {
    std::vector<bool> chosen;
    for (const std::uint32_t row : m_rows) {
        chosen.push_back(rows.contains(row));
    }
    return std::ranges::find(chosen, true) == chosen.end() ? std::vector<bool>() : chosen;
}

void RelationCards::setChosen(const std::set<std::uint32_t>& rows) {
    m_chosen = itemsOf(rows);
    m_parallel->clearBrushes();
    m_scatter->setChosen(m_chosen);
    m_parallel->setChosen(m_chosen);
}

std::vector<std::uint32_t> RelationCards::chosenRows() const {
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < m_chosen.size() && i < m_rows.size(); ++i) {
        if (m_chosen[i]) {
            rows.push_back(m_rows[i]);
        }
    }
    return rows;
}

QJsonObject RelationCards::keptState() const {
    return {{kXKey, QString::fromStdString(m_choice.x)},
            {kYKey, QString::fromStdString(m_choice.y)},
            {kAxesKey, QJsonArray::fromStringList(toStrings(m_choice.axes))}};
}

void RelationCards::restoreState(const QJsonObject& state) {
    m_choice.x = state.value(kXKey).toString().toStdString();
    m_choice.y = state.value(kYKey).toString().toStdString();
    m_choice.axes =
        fromStrings(QVariant(state.value(kAxesKey).toArray().toVariantList()).toStringList());
    refresh();
}

void RelationCards::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    turn(*m_cards, width());
}

} // namespace cairn::ui
