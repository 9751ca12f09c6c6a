// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/engine/output_parts.h"
#include "core/plan/job_part.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The units in which an output is written, and which part of a job writes each. Pure: every part
/// computes the same. The idea is at the top of write_pass.cpp.
namespace cairn {

/// Consecutive complete segments of one file.
struct Run {
    std::uint32_t file = 0;
    std::size_t firstPart = 0;
    std::size_t partCount = 0;
    std::uint64_t number = 0; ///< in file order; see RunRecord
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t bytes() const { return end - begin; }
};

struct OutputRuns {
    std::vector<Run> runs;            ///< in file order
    std::vector<Run> late;            ///< ends of files that contain checksums
    std::vector<Run> index;           ///< files without tensors
    std::vector<std::size_t> writers; ///< parallel to `runs`: the part, counted from 1
    [[nodiscard]] bool isOf(std::size_t run, JobPart part) const {
        return writers[run] == part.index;
    }
};

/// All segments, except those that are shared with the source.
std::vector<FileParts> filesToWrite(const CopyPlan& plan);

/// `files`: of filesToWrite(). `runBytes`: the minimum for a job in one part.
OutputRuns cutRuns(const CopyPlan& plan, std::span<const FileParts> files, std::size_t parts,
                   std::uint64_t runBytes);

/// By file and position in OutputFile::tensors: whether the part writes of it.
using WrittenSegments = std::vector<std::vector<bool>>;
WrittenSegments segmentsOf(const OutputRuns& cut, std::span<const FileParts> files, JobPart part);

/// What a division of a job gives to its parts.
struct PartSizes {
    std::vector<std::uint64_t> bytes; ///< that each part writes
    std::uint64_t verifiedLast = 0;   ///< of files that no single part has written
};
PartSizes partSizes(const CopyPlan& plan, std::size_t parts);

} // namespace cairn
