// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/codec/pickle/scan.h"
#include "core/io/location.h"
#include "core/model/checkpoint.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a file or folder would do if Python loaded it: every pickle in it, whatever its name and
/// wherever it hides (archives, compressions, legacy streams, items of distributed checkpoints,
/// object arrays, code inside Keras models), judged by codec/pickle/scan.h. Nothing is executed, no
/// tensor data is read. What could not be examined is stated (Verdict::NotExamined). Any thread.
namespace cairn::formats {

struct FoundGlobal {
    pickle::ScannedGlobal global; ///< its offset counts within the file, or within the member where
                                  ///< that is compressed
    std::string file;             ///< relative to the scanned folder
    std::string member;           ///< inside the file, parted by '!'; empty: the file itself
};

struct CodeScan {
    pickle::Verdict verdict = pickle::Verdict::Inert;
    std::vector<FoundGlobal> globals;
    std::vector<std::string> reasons; ///< each with the file that it is about
    std::uint64_t pickles = 0;        ///< how many were examined
};

/// How much is examined before the verdict is NotExamined.
struct ScanBounds {
    std::uint64_t contents = 2'000'000;                ///< files, members, items
    std::uint64_t expanded = std::uint64_t{1} << 30U;  ///< decompressed bytes of one content
    std::uint64_t searched = std::uint64_t{16} << 20U; ///< bytes after the last pickle of a file
    std::optional<std::chrono::milliseconds> time;
    /// For pages that show the verdict beside others: seconds at most.
    static ScanBounds brief() {
        return {50'000, std::uint64_t{64} << 20U, std::uint64_t{1} << 20U,
                std::chrono::milliseconds(3000)};
    }
};

/// Fails with the errors of Location::open() and with Cancelled; a broken or
/// unreadable file inside is a verdict.
Result<CodeScan> scanForCode(const Location& named, const CancelToken& cancel = {},
                             const ScanBounds& bounds = {});

/// The files of an opened checkpoint and whatever else is beside them in its folder, without
/// sub-folders. Fails: Cancelled.
Result<CodeScan> scanForCode(const Checkpoint& checkpoint, const CancelToken& cancel = {},
                             const ScanBounds& bounds = ScanBounds::brief());

/// The name that the verdict is about, when it is about one. Borrowed.
const FoundGlobal* worstGlobal(const CodeScan& scan);

/// One sentence for people: "Asks Python to run os.system; nothing was run". Empty when there is
/// no pickle and nothing else to report.
std::string describeScan(const CodeScan& scan);

} // namespace cairn::formats
