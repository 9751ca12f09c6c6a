// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string_view>

/// What each kind of notice means for a checkpoint: the one table behind the severities that `ls`, `info` and the window
/// show, the verdict and exit code of `check`, and what a consolidation stops for. core/analysis/README.md has it in
/// words.
namespace cairn {

/// Ordered: a later one outweighs an earlier one.
enum class HealthVerdict : std::uint8_t {
    Healthy,    ///< everything that was looked at is as it should be
    Warnings,   ///< usable, with warnings: leftovers beside it, times that do not fit, parts that could not be checked
    Incomplete, ///< parts are missing, or a save into the same folder was not finished
    Mixed,      ///< parts of different saves
    Damaged,    ///< bytes differ from their checksums, cannot be read, or weights hold NaN; its own loader refuses it
};
std::string_view verdictName(HealthVerdict verdict); ///< "healthy", "warnings", "incomplete", "mixed", "damaged"

/// When a notice keeps tensors from being written to a new checkpoint.
enum class Stops : std::uint8_t {
    Never,        ///< every element is known: writing them anew is the cure
    UnlessForced, ///< elements are known, but perhaps not those that are wanted
    Always,
};

struct FindingRule {
    ErrorCode code;
    Severity least;        ///< what a notice of this code weighs at least; one of Severity::Info stays a remark
    HealthVerdict verdict; ///< of a checkpoint with such an error
    Stops stops;
};

/// The rule of a code. Codes without a row of their own: as reported, damaged, Stops::Always when an error.
const FindingRule& findingRule(ErrorCode code);

/// A notice's severity by its rule.
Severity settledSeverity(const Notice& notice);

/// The verdict on a checkpoint with this finding and no other.
HealthVerdict verdictOf(const Notice& finding);

} // namespace cairn
