// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string_view>

/// The meaning of each kind of notice for a checkpoint: the table of the severities that `ls`,
/// `info` and the window show, the verdict and exit code of `check`, and the conditions that stop a
/// consolidation. core/analysis/README.md describes it.
namespace cairn {

/// Ordered: a later one outweighs an earlier one.
enum class HealthVerdict : std::uint8_t {
    Healthy,    ///< everything that was examined is as it should be
    Warnings,   ///< usable, with warnings: leftovers beside it, times that do not fit, parts that
                ///< could not be checked
    Incomplete, ///< parts are missing, or a save into the same folder was not finished
    Mixed,      ///< parts of different saves
    Damaged,    ///< bytes differ from their checksums, cannot be read, or weights hold NaN; its own
                ///< loader refuses it
};
std::string_view
verdictName(HealthVerdict verdict); ///< "healthy", "warnings", "incomplete", "mixed", "damaged"

/// When a notice keeps tensors from being written to a new checkpoint.
enum class Stops : std::uint8_t {
    Never,        ///< every element is known: writing them again resolves it
    UnlessForced, ///< elements are known, but may not be the intended ones
    Always,
};

struct FindingRule {
    ErrorCode code;
    Severity
        least; ///< the least severity of a notice of this code; Severity::Info remains a remark
    HealthVerdict verdict; ///< of a checkpoint with such an error
    Stops stops;
};

/// The rule of a code. Codes without a row of their own: as reported, damaged, Stops::Always when
/// an error.
const FindingRule& findingRule(ErrorCode code);

/// A notice's severity by its rule.
Severity settledSeverity(const Notice& notice);

/// The verdict on a checkpoint with this finding and no other.
HealthVerdict verdictOf(const Notice& finding);

} // namespace cairn
