// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/sentence.h"
#include "core/codec/pickle/scan.h"
#include "core/io/location.h"
#include "core/model/checkpoint.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a file or folder would do if Python loaded it: finds every pickle, whatever its name and
/// location (archives, compressed data, legacy streams, items of distributed checkpoints, object
/// arrays, code inside Keras models), and judges it with codec/pickle/scan.h. Nothing is executed,
/// no tensor data is read. Unexamined parts are reported (Verdict::NotExamined). Any thread.
namespace cairn::formats {

struct FoundGlobal {
    pickle::ScannedGlobal
        global; ///< its offset counts within the file, or within the member if that is compressed
    std::string file;   ///< relative to the scanned folder
    std::string member; ///< inside the file, components separated by '!'; empty: the file itself
};

struct CodeScan {
    pickle::Verdict verdict = pickle::Verdict::Inert;
    std::vector<FoundGlobal> globals;
    std::vector<Sentence> reasons; ///< each with the file that it refers to
    std::uint64_t pickles = 0;     ///< number of examined pickles
};

/// Limits beyond which the verdict is NotExamined.
struct ScanBounds {
    std::uint64_t contents = 2'000'000;                 ///< files, members, items
    std::uint64_t expanded = std::uint64_t{1} << 30U;   ///< decompressed bytes of one content
    std::uint64_t searched = std::uint64_t{256} << 20U; ///< bytes after the last pickle of a file
    /// Decompressed bytes of one file, as often as they are decompressed, beyond 64 times its size;
    /// each content inside compressed data counts as 16 KiB.
    std::uint64_t work = std::uint64_t{256} << 20U;
    std::optional<std::chrono::milliseconds> time;
    /// For pages that show the verdict as one of several facts: at most a few seconds.
    static ScanBounds brief() {
        return {50'000, std::uint64_t{64} << 20U, std::uint64_t{1} << 20U, std::uint64_t{64} << 20U,
                std::chrono::milliseconds(3000)};
    }
};

/// Fails with the errors of Location::open() and with Cancelled; a broken or unreadable file inside
/// affects only the verdict.
Result<CodeScan> scanForCode(const Location& named, const CancelToken& cancel = {},
                             const ScanBounds& bounds = {});

/// Scans the files of an opened checkpoint and the other files in its folder, without sub-folders.
/// Fails: Cancelled.
Result<CodeScan> scanForCode(const Checkpoint& checkpoint, const CancelToken& cancel = {},
                             const ScanBounds& bounds = ScanBounds::brief());

/// The name that determined the verdict, or null. Borrowed.
const FoundGlobal* worstGlobal(const CodeScan& scan);

/// A sentence for users: "Asks Python to run os.system; nothing was run". Empty if there is no
/// pickle and nothing else to report.
std::string describeScan(const CodeScan& scan);

} // namespace cairn::formats
