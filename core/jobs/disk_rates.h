// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/model/checkpoint.h"
#include "core/plan/work_rates.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

/// How fast this user's jobs were, by the disks that they went between: one small JSON file in the
/// user's state folder ($XDG_STATE_HOME, else ~/.local/state; cairn/disk-rates.json). Forecasts of
/// time rest on it.
namespace cairn {

/// As fileSystemId() tells them; empty: it cannot be told.
struct FileSystemPair {
    std::string source;
    std::string output;
    friend bool operator==(const FileSystemPair&, const FileSystemPair&) = default;
};

/// Of a job; the output need not be there yet. Asks the disk: not on a window's thread.
FileSystemPair fileSystemsOf(const Checkpoint& source, const std::filesystem::path& output);

/// What one job took: bytes of its output (of a pack: that were packed), written, made durable and
/// verified.
struct MeasuredWork {
    WorkKind kind = WorkKind::Copy;
    std::uint64_t bytes = 0;
    double seconds = 0;
};

/// That file. Any thread, and any number of processes at once: it is replaced in one step, so that
/// whoever reads sees all of it; of two who write at the same time, one is not remembered. A file
/// that is damaged, too long, or says what cannot be counts as nothing known, and the next large
/// job replaces it.
class DiskRates {
public:
    static constexpr std::uint64_t kLeastBytes = std::uint64_t{256} << 20U; ///< that teach anything
    static constexpr std::size_t kMaxPairs = 64; ///< those that were learned of longest ago go

    explicit DiskRates(std::filesystem::path folder = defaultFolder());
    static std::filesystem::path defaultFolder(); ///< empty: the user has none

    /// All 0 where nothing is known. Never fails.
    [[nodiscard]] WorkRates of(const FileSystemPair& pair) const;

    /// Halves what was known of the pair and the kind and adds this, so that large and recent jobs
    /// count most. Does nothing with less than kLeastBytes, or between disks that cannot be told.
    /// Fails with what FileOps says; a job can do without.
    Result<void> learn(FileOps& fileOps, const FileSystemPair& pair,
                       const MeasuredWork& work) const;

private:
    std::filesystem::path m_folder;
};

} // namespace cairn
