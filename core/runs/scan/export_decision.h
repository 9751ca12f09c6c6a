// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/decided.h"
#include "core/runs/experiment.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Is an output of a job a checkpoint of the training, or an export: made from one, without the
/// complete training state? The job's manifest decides; names do not.
namespace cairn {

/// The contents of a Cairn manifest.
struct FoundExport {
    /// A checkpoint from which the output was made.
    struct Source {
        struct File {
            std::filesystem::path path; ///< relative to the checkpoint; its own name for a file
            std::uint64_t bytes = 0;
            std::int64_t modifiedNs = 0;
        };
        std::filesystem::path path; ///< absolute, or the last components: "step-400"
        std::vector<File> files;    ///< those that the job read
    };
    ExportedTo output;
    std::filesystem::path manifest;
    std::vector<Source> sources; ///< including those of an average
    std::string earlier;         ///< for a delta, relative to its folder
    /// Whether it lacks training state that its source may have. A job that selects weights, leaves
    /// tensors out, bundles, folds, averages, changes the dtype or writes GGUF does so by
    /// definition; one that writes everything as it is (reshard, unpack, rename, pack) does not. No
    /// value: the manifest does not name the job, its options and what it left out.
    Decided<bool> lacksState;
};

/// Subtracts the bytes it reads from `budget`. Empty: not a manifest.
std::optional<FoundExport> readExport(const std::filesystem::path& manifest, std::uint64_t& budget);

/// Whether this checkpoint is the one that a manifest names: Proven if its files still have the
/// recorded sizes and times, Recorded if the manifest has its absolute path. Equal names alone
/// decide nothing (every run has a "step-400").
std::optional<Evidence> isSource(const std::filesystem::path& checkpoint,
                                 const FoundExport::Source& source,
                                 const std::filesystem::path& manifest);

} // namespace cairn
