// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/model/output_layout.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace cairn {

/// Written, made durable, re-read and compared, on a local solid-state disk; what forecasts assume.
inline constexpr double kForecastBytesPerSecond = 600e6;

/// What a job will cost, told before it runs. Bytes are exact; seconds are an estimate at
/// kForecastBytesPerSecond.
struct Forecast {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;       ///< of the output, without the manifest
    std::uint64_t memoryBytes = 0; ///< anonymous memory at the peak, whatever the checkpoint's size
    std::uint64_t temporaryBytes = 0; ///< on the output's disk beyond what stays there
    double seconds = 0;
    std::string device = "cpu";
};

/// Something that could have been done otherwise, shown with the plan: "names" = "container key
/// 'model.' dropped".
struct PlanDecision {
    std::string what;
    std::string value;
    std::string why;
};

/// Severity::Error: the plan never runs. `fix` is what the user can do, one sentence, may be empty.
struct PlanProblem {
    ErrorCode code = ErrorCode::Internal;
    Severity severity = Severity::Error;
    std::string message;
    std::string fix;
    Where where;
};

/// A job before it runs: which bytes of which tensors go where in which new files. A pure value:
/// making it reads and writes nothing, and everything that the user may want to know beforehand is
/// in it. Copies share the checkpoint.
struct CopyPlan {
    std::string job; ///< "consolidate" or "export", as the command line names it
    CheckpointPtr source;
    std::string format;           ///< id of the output's format
    std::filesystem::path output; ///< file, or folder when layout.folder
    OutputLayout layout;
    Forecast forecast;
    std::vector<PlanDecision> decisions;
    std::vector<PlanProblem> problems;
    std::vector<std::pair<std::string, std::string>>
        options; ///< as they were asked for; go into the manifest

    /// No problem of severity Error.
    [[nodiscard]] bool runnable() const;
    /// Of all files, in bytes.
    [[nodiscard]] std::uint64_t outputBytes() const;
    /// Tensors in all files, each counted once however many chunks it is cut into.
    [[nodiscard]] std::uint64_t outputTensors() const;
};

/// Proves that a plan is whole: every byte of every file comes from exactly one literal or tensor
/// segment, boxes lie in their tensors, lengths are those of their boxes, no dtype changes,
/// checksum slots lie inside literals, names are plain relative file names, there once. A failure
/// is a mistake of the program (ErrorCode::Internal), told by file and offset. Linear in segments.
/// The engine runs it before it creates anything.
Result<void> validate(const CopyPlan& plan);

/// The plan's first problem of severity Error as an Error; success when runnable().
Result<void> checkRunnable(const CopyPlan& plan);

} // namespace cairn
