// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diff.h"
#include "core/analysis/diff_roles.h"
#include "core/analysis/diff_rollup.h"
#include "core/analysis/plain_values_diff.h"
#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"

#include <QString>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

/// Two checkpoints and the known differences: the structure at once, the values after they were
/// read. Immutable once published; workers make the next one from it.
struct DiffDocument {
    DiffSide left;
    DiffSide right;
    StructureDiff matched;        ///< tensors of all roles
    std::vector<RoleCount> roles; ///< that there are
    std::vector<Role> shown;      ///< the roles that count
    StructureDiff structure;      ///< tensors of these roles
    std::vector<PairDiff> values; ///< one for each pair, or empty: not read yet
    /// What is known of the pairs while `values` is empty, because other roles were shown before:
    /// one for each pair, or empty.
    std::vector<std::optional<PairDiff>> known;
    Tolerance tolerance; ///< of the values
    DiffTree tree;
    std::vector<LayerChange> layers;
    PlainValuesDiff plain;
    QString plainProblem;    ///< why the plain values could not be compared
    std::uint64_t bytes = 0; ///< that comparing the values that are not known reads

    [[nodiscard]] bool hasValues() const { return !values.empty(); }
    /// Some pair has two dtypes: casting the wider one may make it equal.
    [[nodiscard]] bool hasOtherDtypes() const;
    [[nodiscard]] bool isShown(Role role) const;
    /// Pairs of which something differs, as far as is known.
    [[nodiscard]] std::uint64_t changedPairs() const { return tree.root().sums.changed; }
};
using DiffDocumentPtr = std::shared_ptr<const DiffDocument>;

/// Matches tensors, by `rules` if their names differ, and compares plain values: reads only indexes
/// and small values. Shown are the roles of rolesAtFirst(). On a worker.
Result<DiffDocumentPtr> diffStructureOf(CheckpointPtr left, CheckpointPtr right,
                                        const NameRules& rules, const CancelToken& cancel);

/// The same with the tensors of these roles, and what is known of their values. Reads nothing. On a
/// worker.
DiffDocumentPtr withRoles(const DiffDocumentPtr& document, std::vector<Role> shown);

/// The same with the values of every pair, read once from both sides and compared on `device`
/// ("auto", "cpu", "cuda:0"). Adds the number of bytes read to `progress`. On a worker. Fails as
/// diffValues() and chooseBackend().
Result<DiffDocumentPtr> diffValuesOf(const DiffDocumentPtr& document, const Tolerance& tolerance,
                                     const std::string& device,
                                     const std::shared_ptr<std::atomic<std::uint64_t>>& progress,
                                     const CancelToken& cancel);

/// Another checkpoint of the same run.
struct Neighbour {
    std::filesystem::path path;
    QString name;
    QString remark; ///< "the one before", a state
};
/// Whether `checkpoint` was saved before `other`; empty: one of them is no training checkpoint of
/// the run.
std::optional<bool> isEarlier(const ScannedRun& run, const std::filesystem::path& checkpoint,
                              const std::filesystem::path& other);
/// The checkpoints of `run` except `checkpoint`, the nearest earlier one first; damaged ones last.
std::vector<Neighbour> neighboursOf(const ScannedRun& run, const std::filesystem::path& checkpoint);

} // namespace cairn::ui
