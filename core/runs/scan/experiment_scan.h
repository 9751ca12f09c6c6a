// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/location.h"
#include "core/runs/experiment.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>

/// Finds the checkpoints in a folder of any depth. Scanning is cheap: names, sizes and the first
/// and last bytes of files that may be checkpoints. Facts that require a checkpoint's index are
/// determined by examineCheckpoint(), one at a time. Stateless; any thread.
namespace cairn {

struct ScanLimits {
    std::size_t maxDepth = 16;          ///< folders below the experiment
    std::size_t maxEntries = 2'000'000; ///< files and folders examined
    /// A DCP folder without .metadata that changed this recently is being written, an older one is
    /// incomplete: .metadata is written after all ranks have finished.
    std::int64_t unfinishedNs = 120'000'000'000;
};

/// Lists a folder, or a single checkpoint. Links are not followed: a link to a checkpoint of the
/// same experiment is listed as a link, others are skipped. Hidden folders, package caches and
/// virtual environments are skipped. Reads no index and no tensor. 1,000 checkpoints take well
/// under a second. Fails: NotFound, PermissionDenied, NotRegularFile, Unsupported for `named`
/// itself; Cancelled. A folder without any checkpoint is an experiment without runs. Unreadable
/// folders and files below it become notices.
Result<Experiment> scanExperiment(const Location& named, const CancelToken& cancel = {},
                                  const ScanLimits& limits = {});
/// `listed`: of named.list().
Result<Experiment> scanExperiment(const Location& named, Result<Location::Listed> listed,
                                  const CancelToken& cancel = {}, const ScanLimits& limits = {});

} // namespace cairn
