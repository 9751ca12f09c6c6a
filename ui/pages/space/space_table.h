// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/space/retention_controller.h"
#include "ui/pages/space/space_map.h"
#include "ui/widgets/card.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

class QModelIndex;

namespace cairn::ui {

class CellTable;
class RowView;
class Segments;
class TreemapView;

/// Below the map of the Space page: the rows of the plan, or the ten largest of what fills the map.
/// The row and the tile of the same thing are selected together. In a low window the user chooses
/// between map, plan and largest, each with the whole height.
class SpaceTable : public Card {
    Q_OBJECT

public:
    /// The view outlives the table.
    explicit SpaceTable(const TreemapView& view);

    /// Of the view's map; with `plans`, the user chooses between the two.
    void showRows(bool plans, const RetentionController::OutcomePtr& outcome);
    /// The row of the tile that is selected.
    void selectRow();

    /// There is no room for a map and rows: begins with the map.
    void setInTurn(bool inTurn);
    bool showsMap() const { return !m_inTurn || m_mapChosen; }
    bool isRanking() const { return m_ranking.isRunning(); }
    RowView* view() const { return m_table; }

Q_SIGNALS:
    void nodeChosen(std::uint32_t node);
    void kindChosen(); ///< showRows() is wanted; showsMap() may be different

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Kind { None, Plan, Largest };

    void build();
    void fitHeight();
    void choose(int which);
    void showPlan(const RetentionController::OutcomePtr& outcome);
    void fitPlanColumns();
    void placePlanColumns();
    int rowHeight() const; ///< px
    /// The rows are of what fills the map.
    bool isRanked() const;
    void showLargest();
    void fillLargest(const std::vector<std::uint32_t>& nodes);
    void chooseRow(const QModelIndex& index);

    const TreemapView& m_view;
    Kind m_kind = Kind::None;
    std::vector<int> m_planWidths;                  ///< px, of the columns' contents
    std::vector<std::filesystem::path> m_planPaths; ///< by the keys of the plan's rows
    /// What the ten largest are of. A map of a million tensors is not kept for them.
    std::pair<std::weak_ptr<const SpaceMap>, std::uint32_t> m_ranked;
    bool m_filling = false; ///< a selection of the table is our own
    bool m_plans = false;   ///< there is a choice of rows
    bool m_inTurn = false;
    bool m_mapChosen = false;
    int m_rowsChosen; ///< plan or largest
    AsyncRunner m_ranking;
    Segments* m_which;
    TextLabel* m_head;
    CellTable* m_rows;
    RowView* m_table;
};

} // namespace cairn::ui
