// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/space/retention_controller.h"
#include "ui/pages/space/space_map.h"
#include "ui/widgets/card.h"

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

class QModelIndex;

namespace cairn::ui {

class CellTable;
class RowView;
class Segments;
class TreemapView;

/// Beside the map of the Space page: the rows of the plan, or the ten largest of what fills the
/// map. The row and the tile of the same thing are selected together.
class SpaceTable : public Card {
    Q_OBJECT

public:
    /// The view outlives the table.
    explicit SpaceTable(const TreemapView& view);

    /// Of the view's map; with `plans`, the user chooses between the two.
    void showRows(bool plans, const RetentionController::OutcomePtr& outcome);
    /// The row of the tile that is selected.
    void selectRow();

    /// px, for the rows of a plan that are seen in a low window; 0: no plan is shown.
    int planHeight() const;
    bool isRanking() const { return m_ranking.isRunning(); }
    RowView* view() const { return m_table; }

Q_SIGNALS:
    void nodeChosen(std::uint32_t node);
    void kindChosen();   ///< showRows() is wanted
    void rowsReplaced(); ///< planHeight() may be different

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Kind { None, Plan, Largest };

    void build();
    void showPlan(const RetentionController::OutcomePtr& outcome);
    void fitPlanColumns();
    void placePlanColumns();
    int rowHeight() const; ///< px
    void showLargest();
    void fillLargest(const std::vector<std::uint32_t>& nodes);
    void chooseRow(const QModelIndex& index);

    const TreemapView& m_view;
    Kind m_kind = Kind::None;
    std::vector<int> m_planWidths;                  ///< px, of the columns' contents
    std::vector<std::filesystem::path> m_planPaths; ///< by the keys of the plan's rows
    std::pair<SpaceMapPtr, std::uint32_t> m_ranked; ///< what the ten largest are of
    bool m_filling = false;                         ///< a selection of the table is our own
    AsyncRunner m_ranking;
    Segments* m_which;
    TextLabel* m_head;
    CellTable* m_rows;
    RowView* m_table;
};

} // namespace cairn::ui
