// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/decided.h"
#include "core/runs/experiment.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Decides which numbered folder of Lightning's loggers ("version_1") continues the training of
/// another one beside it: `fit(ckpt_path=…)` starts a new folder. Its checkpoint does not record
/// where it was restored from, so that steps decide.
///
/// Recorded: its log begins after the first logging interval, so the training did not start there,
/// and that is where the other folder's log ends or where its newest save was made. No save of the
/// other one is later, and both have the same settings (hparams.yaml). With several optimizers the
/// saves of both folders count the same multiple of their logs' steps.
/// Named: the same with other settings.
/// Undecided: another earlier folder also passed that step, whatever is left of its checkpoints; or
/// two folders continue the same one. (A checkpoint from elsewhere looks the same.)
/// Undecided, and Named alone: separate trainings.
namespace cairn {

class FolderListings;

/// A numbered folder, as far as it was read.
struct VersionFolder {
    std::filesystem::path path;
    std::uint64_t number = 0;
    std::vector<std::int64_t> saves = {}; ///< steps in the names of its checkpoints
    bool hasOtherSaves = false;           ///< checkpoints without a step in the name
    std::string settings = {};            ///< hparams.yaml; empty: there is none
    /// Of its log, from the points with a recorded step.
    struct Log {
        double first = 0;
        double last = 0;
        double widest = 0; ///< largest distance between two consecutive steps
    };
    std::optional<Log> log = {}; ///< none: fewer than two steps
    [[nodiscard]] bool mayBeContinued() const { return !saves.empty() || hasOtherSaves; }
};

/// Which of the earlier folders it continues. Pure.
Decided<std::filesystem::path> decideResumed(const VersionFolder& folder,
                                             const std::vector<VersionFolder>& earlier);

/// A folder and the one that it continues.
struct ResumedFolder {
    std::filesystem::path of;
    ResumedIn in;
};

/// The folders in `parent` that continue another one, in ascending order. Reads names, and the logs
/// of those whose names allow it; what cannot be read is not decided. Fails: Cancelled.
Result<std::vector<ResumedFolder>> findResumedFolders(const std::filesystem::path& parent,
                                                      FolderListings& listings,
                                                      const CancelToken& cancel);

/// "version_3"
std::optional<std::uint64_t> versionNumber(const std::string& name);

} // namespace cairn
