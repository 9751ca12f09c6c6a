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

/// The measured rates of this user's jobs, by source and output disk: one small JSON file in the
/// user's state folder ($XDG_STATE_HOME, else ~/.local/state; cairn/disk-rates.json). Forecasts of
/// time are based on it.
namespace cairn {

/// As fileSystemId() shows them; empty: it cannot be reported.
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

/// That file. Any thread, and any number of processes at once: it is replaced atomically, so that
/// readers see a complete file; of two simultaneous writers, one is lost. A file that is damaged,
/// too long, or contains impossible values is treated as empty, and the next large job replaces
/// it.
class DiskRates {
public:
    static constexpr std::uint64_t kLeastBytes = std::uint64_t{256}
                                                 << 20U; ///< smaller jobs are not recorded
    static constexpr std::size_t kMaxPairs = 64;         ///< the oldest are dropped

    explicit DiskRates(std::filesystem::path folder = defaultFolder());
    static std::filesystem::path defaultFolder(); ///< empty: the user has none

    /// All 0 if nothing is known. Never fails.
    [[nodiscard]] WorkRates of(const FileSystemPair& pair) const;

    /// Halves what was known of the pair and the kind and adds this, so that large and recent jobs
    /// count most. Does nothing with less than kLeastBytes, or between disks that cannot be
    /// reported. Fails with the errors of FileOps; jobs ignore them.
    Result<void> learn(FileOps& fileOps, const FileSystemPair& pair,
                       const MeasuredWork& work) const;

private:
    std::filesystem::path m_folder;
};

} // namespace cairn
