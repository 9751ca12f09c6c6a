// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/navigator/run_place.h"
#include "ui/pages/page.h"
#include "ui/pages/space/retention_controller.h"
#include "ui/pages/space/space_map.h"

#include <QElapsedTimer>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QStackedLayout;

namespace cairn::ui {

class CrumbBar;
class MessageStrip;
class MoveStrip;
class NoticePane;
class PlanPanel;
class RowView;
class RuleBar;
class SpaceLegend;
class SpaceTable;
class TextLabel;
class TreemapView;

/// What takes the disk: a treemap of an experiment, of one of its runs, or of the tensors of a
/// checkpoint, beside the ten largest; for runs also the retention rules with the plan that they
/// make. Sizes and plans are made in workers, and only while the page is visible.
///
/// A checkpoint that is chosen on the map of its run stays a tile of that map; one that is chosen
/// elsewhere, or entered, is shown with its tensors.
class SpacePage : public Page {
    Q_OBJECT

public:
    using ExperimentPtr = std::shared_ptr<const Experiment>;
    /// `ops` moves checkpoints; it outlives the page.
    explicit SpacePage(FileOps& ops, QWidget* parent = nullptr);
    ~SpacePage() override;

    const PageInfo& info() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;
    void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) override;
    QWidget* filterTarget() override;
    /// The plan; null while tensors are shown: then the inspector stays.
    QWidget* sidePanel() override;
    bool copySelection(CopyAs what) override;

    void showExperiment(const ExperimentPtr& experiment);
    void showRun(const RunPlace& place);
    /// The navigator lists this experiment, or lists it again.
    void updateExperiment(const ExperimentPtr& experiment);

    TreemapView* view() const { return m_view; }
    RetentionController& controller() { return m_controller; }
    RuleBar* rules() const { return m_rules; }
    MessageStrip* strip() const;
    RowView* table() const;
    CrumbBar* crumbs() const { return m_crumbs; }
    bool isSettled() const; ///< nothing is being measured or planned; for tests and screenshots

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    void sideChanged(); ///< sidePanel() is another one

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Scope { None, Runs, Tensors };

    void build();
    QWidget* buildMap();
    void connectParts();
    void shareHeight();
    void showParts();

    /// A checkpoint that is named by the common part of its files is opened as one of them.
    static bool isSpaceOf(const std::filesystem::path& opened, const std::filesystem::path& listed);
    void updateCrumbs();
    void point(const QString& description);
    ExperimentPtr experimentOf(const std::filesystem::path& checkpoint) const;

    void refresh();
    void measure();
    void mapTensors();
    void showMap(const SpaceMapPtr& map, std::uint32_t root);
    void zoom(std::uint32_t node);
    void leave();
    void enter(std::uint32_t node);
    void choose(std::uint32_t node);
    void goToRuns(const ExperimentPtr& experiment, const std::filesystem::path& zoomed,
                  const std::filesystem::path& selected);
    void setScope(Scope scope);
    void updateLegend();
    std::uint32_t nodeAt(const std::filesystem::path& path) const;

    void requestPlan(bool again);
    void showPlan();
    void showTable();

    Scope m_scope = Scope::None;
    std::map<std::filesystem::path, ExperimentPtr> m_known;
    ExperimentPtr m_experiment;       ///< that is shown
    ExperimentPtr m_measured;         ///< that m_runMap is of
    std::filesystem::path m_zoomed;   ///< of the folder, run or experiment that fills the map
    std::filesystem::path m_selected; ///< a checkpoint of the map
    std::filesystem::path m_chosen;   ///< the checkpoint that was last chosen on the map
    std::filesystem::path m_entering; ///< one that is to be shown with its tensors
    SpaceMapPtr m_runMap;
    CheckpointPtr m_checkpoint;
    SpaceMapPtr m_tensorMap;
    std::optional<TensorIndex> m_tensor;
    std::uint32_t m_tensorRoot = 0;
    std::vector<std::function<void()>> m_crumbActions;
    QElapsedTimer m_planned;    ///< since the runs were examined
    bool m_planIsStale = false; ///< files have changed since it was made
    RetentionController m_controller;
    AsyncRunner m_measuring;
    AsyncRunner m_mapping;

    QStackedLayout* m_stack = nullptr;
    QWidget* m_mapCard = nullptr;
    NoticePane* m_notice = nullptr;
    RuleBar* m_rules = nullptr;
    MoveStrip* m_strip = nullptr;
    CrumbBar* m_crumbs = nullptr;
    TreemapView* m_view = nullptr;
    SpaceLegend* m_legend = nullptr;
    TextLabel* m_pointed = nullptr;
    SpaceTable* m_table = nullptr;
    PlanPanel* m_panel = nullptr;
};

} // namespace cairn::ui
