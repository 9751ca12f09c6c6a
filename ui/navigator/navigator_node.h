// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment.h"
#include "ui/navigator/navigator_model.h"
#include "ui/navigator/navigator_rows.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace cairn::ui {

/// One row. Children are owned; `parent` is null for an experiment. `run` and `checkpoint` point
/// into the root's listing, which is immutable: all are exchanged together.
struct NavigatorModel::Node {
    Kind kind = Kind::Experiment;
    Node* parent = nullptr;
    std::size_t place = 0; ///< among the parent's children
    std::vector<NodePtr> children;
    std::filesystem::path path;
    QString name;
    QString key;
    qsizetype sharedStart = 0; ///< characters of the name, see text::sharedStart()
    std::uint64_t bytes = 0;
    std::uint64_t count = 0; ///< checkpoints of an experiment, run or fold, tensors of a role
    bool pending = false;    ///< being listed
    QString filter;          ///< of a role
    const ScannedCheckpoint* checkpoint = nullptr; ///< of the listing; of a checkpoint's row
    bool isOnly = false;                           ///< the only checkpoint of its run, links apart
    QString bestText;                              ///< of the run's best checkpoint: "1.702"
    bool isPinned = false;                         ///< the user keeps it: core/runs/pins.h
    bool isExport = false;                         ///< a row below Kind::Exports
    bool isVerified = false;                       ///< of an export, according to its manifest
    const ScannedRun* run = nullptr; ///< of the listing; of a run and the rows below it, not roles
    ExperimentPtr listing;           ///< of a root; null while it is being listed
    std::string host;                ///< of a root on another machine: HostState::host

    /// "N older", "Exports (N)".
    [[nodiscard]] bool isFold() const { return kind == Kind::Older || kind == Kind::Exports; }
    /// Of an experiment.
    [[nodiscard]] bool hasOneRun() const { return listing && listing->runs.size() == 1; }

    Node* add(Kind childKind, const std::filesystem::path& childPath, const QString& childName);
    int row(const std::vector<NodePtr>& roots) const;

    /// Makes the rows below an experiment, newest checkpoint first; those beyond the newest kShown
    /// are in a row "N older", except the best one.
    void fill(ExperimentPtr experiment);
    static constexpr std::size_t kShown = 6;
    static constexpr std::size_t kFoldFrom = 9; ///< fewer are all shown

    /// The same rows in the same order, roles apart.
    static bool sameRows(const Node& a, const Node& b);
    /// Exchanges the data with those of the rows in `fresh`. REQUIRES: sameRows(*this, fresh).
    void takeContent(Node& fresh);
    /// Moves the roles below opened checkpoints into the same checkpoints of `fresh`, where their
    /// files are the same.
    void giveRoles(Node& fresh);

private:
    void findSharedStarts();
    void addRun(const ScannedRun& of);
    void addOlder(const std::vector<const ScannedCheckpoint*>& older, const ScannedRun& of);
    void addExports(const std::vector<const ScannedCheckpoint*>& exports, const ScannedRun& of);
    Node* addCheckpoint(const ScannedCheckpoint& checkpoint, const ScannedRun& of);
};

} // namespace cairn::ui
