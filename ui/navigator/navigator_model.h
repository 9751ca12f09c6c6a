// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "core/runs/experiment.h"
#include "ui/navigator/checkpoint_sums.h"
#include "ui/navigator/run_marks.h"
#include "ui/navigator/run_place.h"
#include "ui/widgets/badge.h"

#include <QAbstractItemModel>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::ui {

class NavigatorRows;

/// The tree of the left column over plain scan results: experiment > run > checkpoint > role,
/// newest checkpoint first; if there are many, all but the newest and the best are in one row "N
/// older". What was made of a run's checkpoints is in a row "Exports (N)" after them. A run that is
/// the experiment itself has no row, and a checkpoint that was opened alone has no parents. One
/// column; badges and sizes are item data roles, painted by NavigatorDelegate. GUI thread only;
/// touches no file.
class NavigatorModel : public QAbstractItemModel {
    Q_OBJECT

public:
    /// Older: the fold "N older" of a run, Exports: the one of its exports; their children are
    /// checkpoints.
    enum class Kind { Experiment, Run, Checkpoint, Role, Older, Exports };
    enum Roles {
        KindRole = Qt::UserRole + 1,
        PathRole, ///< QString of the experiment, run or checkpoint; a role's is its checkpoint's
        SizeTextRole,    ///< "53.8 GB", or "reading…"
        DimTextRole,     ///< "291", "12 checkpoints"
        BadgeTextRole,   ///< the first badge's text; empty: none
        BadgeToneRole,   ///< theme::Tone as int
        FilterRole,      ///< of a role: the filter that shows only its tensors
        KeyRole,         ///< unique text that survives a rescan; for expansion and selection
        BadgeTextsRole,  ///< the texts of all badges, the most important first: QStringList
        GreyRole,        ///< bool: being written, a link, or on a host that cannot be reached
        RunMarkRole,     ///< of a run: its slot in marks(), -1 if it is not marked; else invalid
        SharedStartRole, ///< int: characters of the name with which its siblings' begin, too
    };

    explicit NavigatorModel(QObject* parent = nullptr);
    ~NavigatorModel() override;

    /// Adds an experiment that is being listed, to show its name at once. Known paths are not
    /// changed.
    void addPending(const std::filesystem::path& path);
    /// Replaces the rows of the experiment with that path. Resets the model if rows are added,
    /// removed or moved; opened checkpoints whose files are the same keep their roles.
    void setExperiment(NavigatorRows rows);
    void removeExperiment(const std::filesystem::path& path);
    /// Fills in the roles below an opened checkpoint.
    void setOpened(const std::filesystem::path& path, const CheckpointSums& sums);

    /// The rows of that host's folders show the state of the connection; grey: it is lost.
    void updateHost(const QString& host);

    void setMarks(RunMarks marks);
    const RunMarks& marks() const { return m_marks; }

    /// All badges of a checkpoint's row, the most important first; an experiment's says how many
    /// folders and files could not be read.
    std::vector<Badge> badges(const QModelIndex& index) const;

    bool isEmpty() const { return m_roots.empty(); }
    std::vector<std::filesystem::path> experiments() const;
    QModelIndex find(const std::filesystem::path& checkpoint) const;
    QModelIndex findKey(const QString& key) const;
    /// The row of a checkpoint, a run or an opened folder with exactly that path.
    QModelIndex findPath(const std::filesystem::path& path) const;
    /// The saves of its run (run_counts.h), and it itself, in training order.
    std::vector<std::filesystem::path> neighbours(const std::filesystem::path& checkpoint) const;
    /// The checkpoint to show first: the last complete one of the most recently saved run; one that
    /// may still be written only if there is no other. Among runs saved within ten minutes (copies
    /// have no order), the one with most checkpoints. An output of Cairn only if there is nothing
    /// else. Without a complete one, the first checkpoint.
    QModelIndex firstChoice(const std::filesystem::path& experiment) const;
    std::filesystem::path pathOf(const QModelIndex& index) const;
    Kind kindOf(const QModelIndex& index) const;
    bool isFold(const QModelIndex& index) const; ///< Kind::Older or Kind::Exports
    /// Null unless the index is a checkpoint or below one.
    const ScannedCheckpoint* checkpointAt(const QModelIndex& index) const;
    /// The run of the index or above it, and its experiment; empty for an experiment of several
    /// runs.
    std::optional<RunPlace> runAt(const QModelIndex& index) const;
    /// Only its path, without a copy of the run; empty: there is none.
    std::filesystem::path runPathAt(const QModelIndex& index) const;
    /// The listing of the experiment that the index is in; null while it is being listed.
    const Experiment* experimentAt(const QModelIndex& index) const;
    /// The row of an opened experiment; invalid if there is none.
    QModelIndex findExperiment(const std::filesystem::path& path) const;
    /// The row of the run with that path, or of one inside it; invalid if it is no longer listed.
    QModelIndex findRun(const std::filesystem::path& run) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex&) const override { return 1; }
    QVariant data(const QModelIndex& index, int role) const override;
    /// Qt::CheckStateRole of a run: see markEdited().
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    // A run may be dragged on another run of the window (see runsDropped()); runs and checkpoints
    // leave the window as the URLs of their folders and files. Nothing is ever moved.
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::CopyAction; }
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

Q_SIGNALS:
    /// One run was dropped onto a second one.
    void runsDropped(const cairn::ui::RunPlace& dragged, const cairn::ui::RunPlace& target);
    /// The user checked or unchecked the box of a run.
    void markEdited(const std::filesystem::path& run, bool marked);

private:
    friend class NavigatorRows;
    struct Node;
    using NodePtr = std::unique_ptr<Node>;

    Node* nodeAt(const QModelIndex& index) const;
    QModelIndex indexOf(const Node* node) const;
    Node* root(const std::filesystem::path& path) const;
    void announceContent(const Node& root);
    QVariant runMark(const Node& node) const;
    static bool isRun(const Node& node);
    const ScannedRun* scannedRunAt(const Node& node) const;
    const ScannedRun* draggedRun(const QMimeData* data) const;
    std::vector<Badge> badgesOf(const Node& node) const;
    static std::vector<Badge> problemBadges(const Node& node); ///< of the listing of a root
    static std::vector<Badge> hostBadges(const Node& node);    ///< of a root on another machine
    static QString hostTip(const Node& node);
    static bool isLost(const Node& node); ///< its host
    static QString foldTip(const Node& node);
    QString checkpointTip(const Node& node) const;
    QVariant experimentData(const Node& node, int role) const;
    QVariant checkpointData(const Node& node, int role) const;
    QVariant roleData(const Node& node, int role) const;
    template <class Match> const Node* search(const Match& match) const;

    std::vector<NodePtr> m_roots;
    RunMarks m_marks;
};

} // namespace cairn::ui
