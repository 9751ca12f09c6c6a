// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/codec/pickle/pickle.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a pickle would do if Python loaded it; nothing is executed to find out. Imported names are
/// compared with a list of names that only make values; any other name is at best an unknown class.
/// Everything here is a value type; scanPickle() is a pure function; any thread.
namespace cairn::pickle {

/// In ascending order of severity.
enum class Verdict : std::uint8_t {
    Inert,        ///< every name is known and only makes values
    UnknownClass, ///< instances or names of classes that Cairn does not know
    Malformed,    ///< some version of Python would stop with an error before the end
    NotExamined,  ///< parts could not be examined
    Ambiguous,    ///< unpicklers interpret the bytes differently, or more streams follow
    WouldRunCode, ///< calls a function that does more than make a value, or whose name is computed
};
/// "inert", "unknown-class", "malformed", "not-examined", "ambiguous", "would-run-code"
std::string_view verdictName(Verdict verdict);

struct ScannedGlobal {
    std::string module; ///< Python 3 name
    std::string name;
    Verdict risk = Verdict::Inert; ///< Inert, UnknownClass or WouldRunCode
    bool called = false;
    std::uint64_t offset = 0; ///< of the first import, in the bytes that contain it
    std::uint8_t opcode = 0;
    bool nested =
        false; ///< in a pickle inside bytes of this one; `offset` counts within those bytes
};

/// An archive inside the pickle (bytes passed to torch.storage._load_from_bytes), for the caller to
/// scan.
struct NestedArchive {
    std::vector<std::byte> bytes;
    std::uint64_t offset = 0;
};

struct PickleReport {
    Verdict verdict = Verdict::Inert;
    std::vector<ScannedGlobal> globals; ///< each name once per risk, in stream order
    std::vector<Sentence> reasons;      ///< sentences; why the verdict is worse than inert
    std::vector<NestedArchive> archives;
    std::size_t streams = 0;
    std::uint64_t consumed = 0; ///< bytes that belong to a stream
};

struct ScanOptions {
    bool follow = true; ///< examine streams after the first
    /// The bytes may be anything. They count as a pickle if they reach a STOP, or if Python would
    /// have called something that can be imported before the error; else `streams` is 0 and the
    /// verdict Inert.
    bool maybe = false;
    int maxNesting = 4;
    PickleLimits limits{.lenient = true, .onBuilt = {}};
    /// Reads the complete bytes of a node of which the buffer only contains the beginning. Null:
    /// the buffer is complete.
    std::function<Result<std::vector<std::byte>>(std::span<const std::byte>)> contentOf;
};

/// Never fails: bytes that are not a pickle are Malformed, or Inert with `maybe`.
PickleReport scanPickle(std::span<const std::byte> bytes, ScanOptions options = {});

/// Finds pickles that begin anywhere in these bytes, after data of any kind, and would call
/// something that can be imported. Linear, except for candidates; NotExamined if there are too
/// many.
PickleReport searchPickles(std::span<const std::byte> bytes, const ScanOptions& options = {});

/// Merges `other` into `report`: the worse verdict, all names and reasons.
void mergeReport(PickleReport& report, PickleReport other);

/// How a name (Python 3) is used: only mentioned, instantiated by NEWOBJ, or called.
enum class Use : std::uint8_t { Mentioned, Instantiated, Called };
Verdict assessGlobal(GlobalName name, Use use);

} // namespace cairn::pickle
