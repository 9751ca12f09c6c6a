// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a pickle would do if Python loaded it; nothing is executed to find out. Looked-up names are
/// judged by a list of names that are known to do nothing but make values; whatever is not on it is
/// at best an unknown class. Everything here is a value type; scanPickle() is a pure function and
/// safe from any thread.
namespace cairn::pickle {

/// Ordered: a later one outweighs an earlier one.
enum class Verdict : std::uint8_t {
    Inert,        ///< every name is known and only makes values
    UnknownClass, ///< makes instances of classes, or mentions names, that Cairn does not know
    Malformed,    ///< some Python would stop with an error before the end
    NotExamined,  ///< some of it could not be examined
    Ambiguous,    ///< readers disagree on what the bytes mean, or more streams follow
    WouldRunCode, ///< calls a function that does more than make a value, or that nobody can name
};
/// "inert", "unknown-class", "malformed", "not-examined", "ambiguous", "would-run-code"
std::string_view verdictName(Verdict verdict);

struct ScannedGlobal {
    std::string module; ///< Python 3 name
    std::string name;
    Verdict risk = Verdict::Inert; ///< Inert, UnknownClass or WouldRunCode
    bool called = false;
    std::uint64_t offset = 0; ///< of the first look-up, in the bytes that hold it
    std::uint8_t opcode = 0;
    bool nested = false; ///< in a pickle inside the bytes of this one; `offset` counts within those
};

/// An archive inside the pickle (bytes given to torch.storage._load_from_bytes): whoever can read
/// ZIP scans on.
struct NestedArchive {
    std::vector<std::byte> bytes;
    std::uint64_t offset = 0;
};

struct PickleReport {
    Verdict verdict = Verdict::Inert;
    std::vector<ScannedGlobal> globals; ///< each name once a risk, in stream order
    std::vector<std::string> reasons;   ///< plain sentences; what made the verdict worse than inert
    std::vector<NestedArchive> archives;
    std::size_t streams = 0;
    std::uint64_t consumed = 0; ///< bytes that belong to a stream
};

struct ScanOptions {
    bool follow = true; ///< examine streams after the first
    /// The bytes may be anything. They count as a pickle when they come to a STOP, or when Python
    /// would have called something that can be imported before they break; else `streams` is 0 and
    /// the verdict Inert.
    bool maybe = false;
    int maxNesting = 4;
    PickleLimits limits{.lenient = true};
    /// The whole of bytes of which the buffer holds the beginning alone. Null: it holds all.
    std::function<Result<std::vector<std::byte>>(std::span<const std::byte>)> contentOf;
};

/// Never fails: bytes that are not a pickle are Malformed, unless they need not be one.
PickleReport scanPickle(std::span<const std::byte> bytes, ScanOptions options = {});

/// Pickles that begin anywhere in these bytes, after data of any kind: only such as would call
/// something that can be imported. Linear, but for what begins like a pickle; NotExamined when that
/// is too much.
PickleReport searchPickles(std::span<const std::byte> bytes, const ScanOptions& options = {});

/// Adds `other` to `report`: the worse verdict, all names and reasons.
void mergeReport(PickleReport& report, PickleReport other);

/// How a name (Python 3) is judged when it is only mentioned, made an instance of by NEWOBJ, or
/// called.
enum class Use : std::uint8_t { Mentioned, Instantiated, Called };
Verdict assessGlobal(GlobalName name, Use use);

} // namespace cairn::pickle
