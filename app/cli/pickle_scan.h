// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/codec/pickle/scan.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::cli {

struct FoundGlobal {
    std::string module;
    std::string name;
    pickle::Verdict risk = pickle::Verdict::Inert;
    bool called = false;
    std::string
        file; ///< relative to the path; with the member of an archive: "ckpt.pt!archive/data.pkl"
    std::uint64_t offset =
        0; ///< in the file; in the member's content when that is compressed or nested
};

struct PathScan {
    pickle::Verdict verdict = pickle::Verdict::Inert;
    std::vector<FoundGlobal> globals;
    std::vector<std::string> reasons;
    std::uint64_t files = 0;   ///< looked at
    std::uint64_t pickles = 0; ///< found in them
};

/// Looks at every pickle in a file or folder: torch archives, legacy streams, bare pickles, DCP
/// indexes and the items in their shards, archives inside pickles. Works on what does not open as a
/// checkpoint; executes nothing. Links are not followed. Fails for `path` itself (NotFound,
/// PermissionDenied, NotRegularFile) and with Cancelled; all else is a reason.
Result<PathScan> scanPath(const std::filesystem::path& path, const CancelToken& cancel);

} // namespace cairn::cli
