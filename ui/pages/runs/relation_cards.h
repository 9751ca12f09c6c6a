// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/runs/run_arrangement.h"
#include "ui/pages/runs/run_relation.h"

#include <QJsonObject>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

class QBoxLayout;
class QMenu;

namespace cairn::ui {

class Button;
class Card;
class ChoiceList;
class ParallelPlot;
class RelationPlot;
class ScatterPlot;
class TurnQueue;

/// Two cards of the Runs page: any setting or metric against any other, and parallel coordinates.
/// What the user chooses in one of them is chosen in both. Hidden while there is nothing to relate.
/// GUI thread only.
class RelationCards : public QWidget {
    Q_OBJECT

public:
    /// The queue outlives the cards.
    explicit RelationCards(TurnQueue& turns, QWidget* parent = nullptr);

    /// `rows`: of the grid, those that the filter leaves. Null: nothing. A worker relates them;
    /// until the plots show that, nothing can be chosen in them.
    /// `colourBy`: the column that the colours stand for; empty: for marks.
    void show(RunsDataPtr from, std::vector<std::uint32_t> rows, const RunMarks& marks,
              const std::string& colourBy);
    /// The runs that are chosen elsewhere, as rows of the grid; removes the brushes.
    void setChosen(const std::set<std::uint32_t>& rows);
    /// Rows of the grid that the user chose here; empty: none.
    std::vector<std::uint32_t> chosenRows() const;
    bool isSettled() const { return !m_waits; } ///< the plots show what is wanted
    QJsonObject keptState() const;
    void restoreState(const QJsonObject& state);

    ScatterPlot* scatter() const { return m_scatter; }
    ParallelPlot* parallel() const { return m_parallel; }
    Button* xButton() const { return m_xButton; }
    Button* yButton() const { return m_yButton; }
    Button* axesButton() const { return m_axesButton; }
    /// The menu of the scales of a plot's axes, as it opens.
    QMenu* scaleMenu(const RelationPlot* plot) const;
    ChoiceList* columnList() const { return m_columns; }
    ChoiceList* axisList() const { return m_axes; }
    const RelationChoice& choice() const { return m_made.choice; }

Q_SIGNALS:
    void chosenChanged(); ///< by the user
    void runClicked();    ///< a point or a line, after chosenChanged()
    void stateChanged();
    /// A picture of a plot is wanted.
    void menuRequested(cairn::ui::RelationPlot* plot, const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void refresh();
    void inTurn(const std::function<void()>& work);
    void clear();
    void showScatter();
    void showParallel();
    void popUpColumns(bool x);
    void popUpAxes();
    void fillScales(QMenu& menu, const RelationPlot& plot);
    void setScale(const RelationAxis& axis, Scale scale);
    void chooseRows(const std::vector<bool>& chosen);
    std::vector<bool> itemsOf(const std::set<std::uint32_t>& rows) const;

    TurnQueue& m_turns;
    AsyncRunner m_relating;
    bool m_waits = false;     ///< the plots are to show what is below
    bool m_announces = false; ///< what the brushes choose, when the plots show that
    int m_wanted = 0;         ///< counts what is to be shown
    RunsDataPtr m_data;
    std::vector<std::uint32_t> m_rows;
    RunMarks m_marks;
    std::string m_colourBy;
    RelationChoice m_choice;    ///< of the user
    RunRelations m_made;        ///< by the worker, of the rows above unless m_waits
    std::vector<bool> m_chosen; ///< parallel to m_rows; empty: none
    QBoxLayout* m_cards;
    Card* m_scatterCard;
    Card* m_parallelCard;
    Button* m_xButton;
    Button* m_yButton;
    Button* m_axesButton;
    Button* m_scatterScales;
    Button* m_parallelScales;
    ChoiceList* m_columns;
    ChoiceList* m_axes;
    bool m_choosesX = false; ///< what m_columns is open for
    ScatterPlot* m_scatter;
    ParallelPlot* m_parallel;
};

} // namespace cairn::ui
