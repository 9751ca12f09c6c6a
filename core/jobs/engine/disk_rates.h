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

/// From fileSystemId(); empty: unknown.
struct FileSystemPair {
    std::string source;
    std::string output;
    friend bool operator==(const FileSystemPair&, const FileSystemPair&) = default;
};

/// For a job; the output need not exist yet. Accesses the disk: do not call it on the GUI thread.
FileSystemPair fileSystemsOf(const Checkpoint& source, const std::filesystem::path& output);

/// The file. Any thread and any number of processes: it is replaced atomically, so that readers see
/// a complete file; of two simultaneous writers, one is lost. A file that is damaged, too long, or
/// contains impossible values is treated as empty, and the next large job replaces it.
class DiskRates {
public:
    static constexpr std::uint64_t kLeastBytes = std::uint64_t{256}
                                                 << 20U; ///< smaller jobs are not recorded
    static constexpr std::size_t kMaxPairs = 64;         ///< the oldest are dropped

    explicit DiskRates(std::filesystem::path folder = defaultFolder());
    static std::filesystem::path defaultFolder(); ///< empty: the user has none

    /// All 0 if nothing is known. Never fails.
    [[nodiscard]] WorkRates of(const FileSystemPair& pair) const;

    /// Halves the previous record of the pair and kind and adds this one, so that large and recent
    /// jobs count most. Does nothing with less than kLeastBytes, or between unknown disks. Fails
    /// with the errors of FileOps; jobs ignore them.
    Result<void> learn(FileOps& fileOps, const FileSystemPair& pair,
                       const MeasuredWork& work) const;

private:
    std::filesystem::path m_folder;
};

} // namespace cairn
