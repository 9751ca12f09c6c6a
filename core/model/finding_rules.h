// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string_view>

/// The meaning of each kind of notice for a checkpoint: a table of the severities that `ls`, `info`
/// and the window show, the verdict and exit code of `check`, and the conditions that stop a
/// consolidation. core/analysis/README.md describes it.
namespace cairn {

/// In ascending order of severity.
enum class HealthVerdict : std::uint8_t {
    Healthy,    ///< nothing suspicious was found
    Warnings,   ///< usable, with warnings: leftover files, inconsistent times, parts that could not
                ///< be checked
    Unread,     ///< parts need a feature that Cairn does not have, or more than a limit allows;
                ///< nothing says that they are damaged
    Incomplete, ///< parts are missing, or a save into the same folder is unfinished
    Mixed,      ///< parts of different saves
    Damaged, ///< checksum mismatches, unreadable data, or NaN in weights; its own loader refuses it
};
std::string_view verdictName(
    HealthVerdict verdict); ///< "healthy", "warnings", "unread", "incomplete", "mixed", "damaged"

/// Fewer zeros, a short bias or a model of a test, are not worth a notice.
inline constexpr std::uint64_t kFewestZerosToReport = 16;

/// When a notice keeps tensors from being written to a new checkpoint.
enum class Stops : std::uint8_t {
    Never,        ///< every element is known: writing it again resolves the problem
    UnlessForced, ///< elements are known, but may not be the intended ones
    Always,
};

struct FindingRule {
    ErrorCode code;
    Severity least; ///< least severity of a notice with this code; Severity::Info is never raised
    HealthVerdict verdict; ///< of a checkpoint with such an error
    Stops stops;
};

/// The rule of a code. Codes without a row: severity as reported, Damaged, Stops::Always for
/// errors.
const FindingRule& findingRule(ErrorCode code);

/// A notice's severity by its rule.
Severity settledSeverity(const Notice& notice);

/// Whether such an error says nothing about the data: a feature, a type or a size that is not
/// supported.
bool isUnread(ErrorCode code);

/// The verdict on a checkpoint with only this finding.
HealthVerdict verdictOf(const Notice& finding);

} // namespace cairn
