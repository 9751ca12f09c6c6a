// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/codec/pickle/scan.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What a file or folder would do if Python loaded it: every pickle in it, wherever it hides
/// (archives, legacy streams, items of distributed checkpoints, object arrays), judged by
/// codec/pickle/scan.h. Nothing is executed, no tensor data are read. Any thread.
namespace cairn::formats {

struct FoundGlobal {
    pickle::ScannedGlobal global; ///< its offset counts within the file where that is known
    std::string file;             ///< relative to the scanned folder, with the record after '!':
                                  ///< "a.pt!archive/data.pkl"
};

struct CodeScan {
    pickle::Verdict verdict = pickle::Verdict::Inert;
    std::vector<FoundGlobal> globals;
    std::vector<std::string> reasons; ///< each with the file that it is about
    std::uint64_t pickles = 0;        ///< how many were looked at
};

/// Fails with what opening the path says (NotFound, PermissionDenied …) and Cancelled; a broken
/// file inside is a verdict.
Result<CodeScan> scanForCode(const std::filesystem::path& path, const CancelToken& cancel = {});

} // namespace cairn::formats
