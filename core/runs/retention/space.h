// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/experiment.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What takes the disk in a folder of runs: the sizes of all its files, by folder, run and
/// checkpoint.
namespace cairn {

enum class SpaceKind : std::uint8_t { Folder, Run, Checkpoint, File };
std::string_view spaceKindName(SpaceKind kind); ///< "folder", "run", "checkpoint", "file"

struct SpaceNode {
    std::string name; ///< a component of the path; of a checkpoint ScannedCheckpoint::name
    SpaceKind kind = SpaceKind::Folder;
    bool other = false; ///< a file of no checkpoint, or a folder of such files
    bool parts = false; ///< a checkpoint that is several files of the folder above
    /// Sizes of the files at or below it, each file counted once: names (hard links) of one file
    /// count for the first of them, and a file of a checkpoint never for something else. A link
    /// takes nothing; in a checkpoint its target counts if the checkpoint's reader would follow it.
    std::uint64_t bytes = 0;
    std::uint64_t shared = 0;      ///< sizes of files at or below it that count elsewhere
    std::uint64_t files = 0;       ///< at or below it
    std::uint32_t checkpoints = 0; ///< at or below it
    std::uint32_t parent = 0;      ///< the root is its own parent
    std::uint32_t firstChild = 0;  ///< children are consecutive, the largest first
    std::uint32_t childCount = 0;
    std::uint32_t detail = 0; ///< of a run or a checkpoint: position in SpaceTree::runs or ::saves
};

/// A plain value.
struct SpaceTree {
    struct Run {
        std::string id;
        std::string name;
        std::filesystem::path path;
    };
    struct Save {
        std::filesystem::path path; ///< ScannedCheckpoint::path
        RoleBytes roles;            ///< zeros if not known yet
        std::uint32_t run = 0;      ///< position in `runs`
    };
    std::filesystem::path path;   ///< of the root
    std::vector<SpaceNode> nodes; ///< [0] is the root; parents precede their children
    std::vector<Run> runs;
    std::vector<Save> saves;
    std::vector<Notice> notices; ///< unreadable folders, exceeded limits
    [[nodiscard]] const SpaceNode& root() const { return nodes.front(); }
    [[nodiscard]] std::filesystem::path pathOf(std::uint32_t node) const;
    /// The node of a checkpoint or run with this path.
    [[nodiscard]] std::optional<std::uint32_t> find(const std::filesystem::path& path) const;
};

inline constexpr std::size_t kMaxSpaceEntries = 2'000'000;

/// Lists every file below the experiment's folder, also those of no checkpoint, and assigns it to
/// the checkpoint that it belongs to. Sizes are those that every other part of Cairn states: file
/// sizes, not allocated blocks; blocks that files share (reflinks) count for each. Links to folders
/// are not followed. Reads no file. `progress`: the number of entries so far, now and then. Fails:
/// NotFound and PermissionDenied for the folder itself, Cancelled; a folder below that cannot be
/// listed becomes a notice. Any thread.
Result<SpaceTree> measureSpace(const Experiment& experiment, const CancelToken& cancel = {},
                               const std::function<void(std::size_t)>& progress = {});

/// Takes over what is known better about the same listing: the bytes by role. False: nothing is.
bool updateRoles(SpaceTree& tree, const Experiment& experiment);

/// The largest at or below `node`, largest first: checkpoints, and files of none; below a
/// checkpoint its files.
std::vector<std::uint32_t> largestOf(const SpaceTree& tree, std::uint32_t node, std::size_t count);

} // namespace cairn
