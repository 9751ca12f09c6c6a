// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/navigator/experiment_loader.h"
#include "ui/navigator/host_watch.h"
#include "ui/navigator/navigator_model.h"

#include <QSet>
#include <QWidget>

#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

class QItemSelection;
class QTreeView;

namespace cairn::ui {

/// The left column: opened experiments with their runs and checkpoints. Lists and examines off the
/// GUI thread and follows changes on disk; expansion, selection and scroll position are kept.
class Navigator : public QWidget {
    Q_OBJECT

public:
    explicit Navigator(QWidget* parent = nullptr);
    ~Navigator() override;

    /// Lists a folder or a single checkpoint; an opened one is listed again. With `choose`, its
    /// newest complete checkpoint is selected the first time; or `wanted`, a checkpoint, a run or
    /// the folder itself, if it is listed.
    void open(const std::filesystem::path& path, bool choose = true,
              const std::filesystem::path& wanted = {});
    void refresh();
    void closeCurrent();
    bool isEmpty() const;
    bool isLoading() const;
    /// Only this folder: another one may be on a mount that hangs.
    bool isLoading(const std::filesystem::path& experiment) const;

    /// Selects the row without announcing it; false if no opened experiment lists it.
    bool select(const std::filesystem::path& checkpoint);
    /// Emits again what the selected row is.
    void announceAgain();
    /// Moves by `rows` checkpoints within the current run, in training order, and chooses it.
    void step(int rows);
    void setOpened(const std::filesystem::path& path, const CheckpointSums& sums);

    // Any number of runs is marked: by their boxes, by the key X, by selecting several of them.
    /// Marks the selected runs, or the run of the current row; removes the marks if all have one;
    /// also the key X. The second mark starts the comparison.
    void toggleMark();
    /// Each element is a run, or several runs that are a group and get one colour.
    using RunGroupPaths = std::vector<std::vector<std::filesystem::path>>;
    void setMarked(const RunGroupPaths& groups, bool marked);
    /// Exactly these, each with its own colour.
    void setMarks(const std::vector<std::filesystem::path>& runs);
    void clearMarks();
    /// Requests the comparison of the selected runs if there are several, else of the first two
    /// marked ones, or of the marked and the current one.
    void compareMarked();
    /// The runs of the selected rows, each once: a checkpoint stands for its run.
    std::vector<std::filesystem::path> selectedRuns() const;
    /// The marked runs that are still listed, in the order of their colours; the first `most`.
    std::vector<RunPlace> marked(std::size_t most = std::numeric_limits<std::size_t>::max()) const;

    /// What survives a restart. Rows and runs that are not listed (yet) are kept too.
    struct Kept {
        QStringList expanded;  ///< keys of rows
        QStringList collapsed; ///< keys of opened folders, which are expanded otherwise
        std::vector<std::pair<std::filesystem::path, int>> marks; ///< runs and their slots
    };
    Kept kept() const;
    /// Before folders are opened: is applied to what they list.
    void setKept(Kept kept);

    /// All selected checkpoints: those of the first one's run in training order, then the others.
    std::vector<std::filesystem::path> selectedCheckpoints() const;
    const ScannedCheckpoint* current() const;
    std::filesystem::path currentPath() const;
    std::filesystem::path currentExperiment() const;
    /// The last listing of an opened experiment; null: none.
    ExperimentPtr listing(const std::filesystem::path& experiment) const;
    NavigatorModel* model() const { return m_model; }
    QTreeView* view() const { return m_view; }

Q_SIGNALS:
    void checkpointChosen(const std::filesystem::path& checkpoint);
    /// `filter`: text for the filter field that shows only the tensors of that row.
    void roleChosen(const std::filesystem::path& checkpoint, const QString& filter);
    void runChosen(const cairn::ui::RunPlace& run);
    /// A folder of several runs.
    void experimentChosen(const cairn::Experiment& experiment);
    void selectionChanged();
    void experimentListed(const cairn::Experiment& experiment);
    /// The same checkpoints, known better.
    void experimentExamined(const cairn::Experiment& experiment);
    void experimentFailed(const std::filesystem::path& path, const cairn::Error& error);
    void loadingChanged();
    /// The connection to a host has another state: HostState::host.
    void hostChanged(const QString& host);
    void marksChanged();
    void keptChanged(); ///< kept() is different
    /// Now two are marked, or one run was dropped on another: A and B.
    void compareRequested(const cairn::ui::RunPlace& left, const cairn::ui::RunPlace& right);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void announce(const QModelIndex& current);
    void applyMarks(const RunMarks& marks, bool compares);
    void markSelected(const QItemSelection& selected, const QItemSelection& deselected);
    void connectLoader(ExperimentLoader& loader);
    void chooseFirst(const Experiment& experiment);
    void remember();
    void restore();
    void restoreCurrent();
    void restoreBelow(const QModelIndex& parent); ///< its first rows were added
    void restoreMarks(const Experiment& experiment);
    /// What was kept of rows and runs that this folder no longer has.
    void forgetGone(const std::filesystem::path& experiment);
    /// Adds the keys of expanded rows, and removes or adds those of opened folders.
    void collectExpanded(QSet<QString>& expanded, QSet<QString>& collapsed) const;

    NavigatorModel* m_model;
    QTreeView* m_view;
    HostWatch* m_hosts;
    std::vector<std::unique_ptr<ExperimentLoader>> m_loaders;
    std::vector<std::filesystem::path>
        m_toChoose;                 ///< experiments whose first choice is still to be made
    std::filesystem::path m_wanted; ///< to be selected in place of such a first choice
    QSet<QString> m_expanded;
    QSet<QString> m_collapsed;                                   ///< opened folders
    QSet<QString> m_toExpand;                                    ///< kept, and not listed yet
    std::vector<std::pair<std::filesystem::path, int>> m_toMark; ///< the same
    std::map<int, std::filesystem::path> m_restored; ///< a kept slot to a run that was marked
    QString m_current;
    std::filesystem::path m_currentPath; ///< of a checkpoint
    QString m_top;                       ///< the row at the upper edge
    bool m_quiet = false;                ///< selection changes are our own
};

} // namespace cairn::ui
