// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/relation_cards.h"

#include "ui/bridge/turn_queue.h"
#include "ui/charts/parallel_plot.h"
#include "ui/charts/scatter_plot.h"
#include "ui/pages/runs/choice_list.h"
#include "ui/pages/runs/run_columns.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QAction>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QMenu>
#include <QVBoxLayout>
#include <QVariant>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kBothFit = 620;    ///< px from which both cards fit in one row
constexpr int kPlotHeight = 190; ///< px
constexpr int kMostLetters = 22; ///< of a button
const QString kXKey = QStringLiteral("x");
const QString kYKey = QStringLiteral("y");
const QString kAxesKey = QStringLiteral("axes");
const QString kScalesKey = QStringLiteral("logarithmic");

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

RelationCards::RelationCards(TurnQueue& turns, QWidget* parent)
    : QWidget(parent), m_turns(turns), m_cards(new QBoxLayout(QBoxLayout::TopToBottom, this)),
      m_scatterCard(new Card), m_parallelCard(new Card), m_xButton(new Button(QString())),
      m_yButton(new Button(QString())), m_axesButton(new Button(tr("Axes"))),
      m_scatterScales(new Button(tr("Scales"))), m_parallelScales(new Button(tr("Scales"))),
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
        m_announces = m_announces || m_parallel->hasBrush(); // its axis may be gone then
        refresh();
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
    connect(m_parallel, &ParallelPlot::lineClicked, this, [this](std::size_t item) {
        std::vector<bool> chosen(m_rows.size(), false);
        chosen.at(item) = true;
        m_parallel->clearBrushes();
        chooseRows(chosen);
        Q_EMIT runClicked();
    });
    for (RelationPlot* plot :
         {static_cast<RelationPlot*>(m_scatter), static_cast<RelationPlot*>(m_parallel)}) {
        plot->setTurns(turns);
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
    fill(*m_scatterCard, {m_yButton, against, m_xButton, m_scatterScales}, m_scatter, 2);
    fill(*m_parallelCard,
         {captionLabel(tr("Parallel coordinates")), m_axesButton, m_parallelScales}, m_parallel, 3);
    for (Button* button : {m_xButton, m_yButton, m_axesButton}) {
        button->setOpensList(true);
    }
    const auto addScales = [this](Button* button, const RelationPlot* plot) {
        auto* menu = new QMenu(button);
        menu->setToolTipsVisible(true);
        connect(menu, &QMenu::aboutToShow, this, [this, menu, plot] { fillScales(*menu, *plot); });
        button->setMenu(menu);
        text::setToolTip(button, tr("Linear or logarithmic axes"));
    };
    addScales(m_scatterScales, m_scatter);
    addScales(m_parallelScales, m_parallel);
}

void RelationCards::show(RunsDataPtr from, std::vector<std::uint32_t> rows, const RunMarks& marks,
                         const std::string& colourBy) {
    std::set<std::filesystem::path> before; // the grid may be another one
    for (const std::uint32_t row : chosenRows()) {
        before.insert(m_data->grid.rows()[row].path);
    }
    m_data = std::move(from);
    m_rows = std::move(rows);
    m_marks = marks;
    m_colourBy = colourBy;
    std::set<std::uint32_t> chosen;
    for (const std::uint32_t row : m_rows) {
        if (!before.empty() && before.contains(m_data->grid.rows()[row].path)) {
            chosen.insert(row);
        }
    }
    m_chosen = itemsOf(chosen);
    refresh();
}

/// What the plots show is made by a worker; each plot then shows it in a turn of its own.
void RelationCards::refresh() {
    ++m_wanted;
    m_relating.cancel();
    m_waits = m_data != nullptr && !m_rows.empty();
    if (!m_waits) {
        clear();
        return;
    }
    m_relating.start(
        [data = m_data, rows = m_rows, choice = m_choice, marks = m_marks,
         colourBy = m_colourBy](const CancelToken&) -> Result<RunRelations> {
            return relateBoth(data->grid, rows, choice, marks, colourBy);
        },
        [this](Result<RunRelations> made) {
            m_made = made ? std::move(*made) : RunRelations();
            inTurn([this] {
                if (m_made.scatter == nullptr) { // nothing depends on a setting
                    clear();
                    m_waits = false;
                    return;
                }
                showScatter();
                inTurn([this] { showParallel(); });
            });
        });
}

/// `work`, unless something else is to be shown by then.
void RelationCards::inTurn(const std::function<void()>& work) {
    m_turns.add(this, [this, work, wanted = m_wanted] {
        if (wanted == m_wanted) {
            work();
        }
    });
}

void RelationCards::clear() {
    m_made = {};
    m_chosen.clear();
    m_announces = false;
    m_scatter->show(nullptr);
    m_parallel->show(nullptr);
    hide();
}

void RelationCards::showScatter() {
    setVisible(true);
    m_scatter->show(m_made.scatter);
    m_scatter->setChosen(m_chosen);
    const auto titled = [this](Button& button, const std::string& key, const QString& tip) {
        label(button, columnTitle(m_data->grid, key), tip.arg(columnFullTitle(m_data->grid, key)));
        button.setAccessibleName(tip.arg(columnFullTitle(m_data->grid, key)));
    };
    titled(*m_xButton, m_made.choice.x, tr("Horizontal axis: %1"));
    titled(*m_yButton, m_made.choice.y, tr("Vertical axis: %1"));
    turn(*m_cards, width());
}

void RelationCards::showParallel() {
    m_parallel->show(m_made.parallel);
    if (m_parallel->hasBrush()) {
        m_chosen = m_parallel->brushed(); // of rows that came, too
        m_scatter->setChosen(m_chosen);
    }
    m_parallel->setChosen(m_chosen);
    m_waits = false;
    m_turns.add(this, [] {}); // the queue is empty when all of it is laid out
    if (std::exchange(m_announces, false)) {
        chooseRows(m_parallel->brushed());
    }
}

void RelationCards::popUpColumns(bool x) {
    m_choosesX = x;
    const std::string& current = x ? m_made.choice.x : m_made.choice.y;
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
                           std::ranges::find(m_made.choice.axes, key) != m_made.choice.axes.end()});
    }
    m_axes->setChoices(choices);
    m_axes->popUp(*m_axesButton);
}

QMenu* RelationCards::scaleMenu(const RelationPlot* plot) const {
    return (plot == m_scatter ? m_scatterScales : m_parallelScales)->menu();
}

void RelationCards::fillScales(QMenu& menu, const RelationPlot& plot) {
    menu.clear();
    const RelationPtr relation = plot.relation();
    for (std::size_t i = 0; relation != nullptr && i < relation->axes.size(); ++i) {
        const RelationAxis& axis = relation->axes[i];
        auto* action =
            new QAction(text::withoutMnemonic(tr("%1 Logarithmic").arg(axis.title)), &menu);
        action->setCheckable(true);
        action->setChecked(axis.scale == Scale::Log);
        action->setEnabled(axis.canBeLog());
        action->setToolTip(axis.canBeLog()
                               ? QString()
                               : text::toolTip(tr("A logarithmic axis needs positive numbers")));
        connect(action, &QAction::triggered, this, [this, relation, i](bool log) {
            setScale(relation->axes[i], log ? Scale::Log : Scale::Linear);
        });
        menu.addAction(action);
    }
}

void RelationCards::setScale(const RelationAxis& axis, Scale scale) {
    m_choice.scales.erase(axis.key.toStdString());
    RelationAxis byDefault = axis;
    byDefault.fit();
    if (byDefault.scale != scale) {
        m_choice.scales.emplace(axis.key.toStdString(), scale);
    }
    refresh();
    Q_EMIT stateChanged();
}

void RelationCards::chooseRows(const std::vector<bool>& chosen) {
    if (m_waits) {
        return; // of what was shown before
    }
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
    if (m_waits) {
        return;
    }
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
    QJsonObject scales;
    for (const auto& [key, scale] : m_choice.scales) {
        scales.insert(QString::fromStdString(key), scale == Scale::Log);
    }
    return {{kScalesKey, scales},
            {kXKey, QString::fromStdString(m_choice.x)},
            {kYKey, QString::fromStdString(m_choice.y)},
            {kAxesKey, QJsonArray::fromStringList(toStrings(m_choice.axes))}};
}

void RelationCards::restoreState(const QJsonObject& state) {
    m_choice.x = state.value(kXKey).toString().toStdString();
    m_choice.y = state.value(kYKey).toString().toStdString();
    m_choice.axes =
        fromStrings(QVariant(state.value(kAxesKey).toArray().toVariantList()).toStringList());
    m_choice.scales.clear();
    const QJsonObject scales = state.value(kScalesKey).toObject();
    for (auto each = scales.begin(); each != scales.end(); ++each) {
        if (each.value().isBool()) {
            m_choice.scales.emplace(each.key().toStdString(),
                                    each.value().toBool() ? Scale::Log : Scale::Linear);
        }
    }
    refresh();
}

void RelationCards::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    turn(*m_cards, width());
}

} // namespace cairn::ui
