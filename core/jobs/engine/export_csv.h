// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/engine/engine.h"
#include "core/model/checkpoint.h"

#include <filesystem>

namespace cairn {

/// Writes one tensor of up to two dimensions as comma-separated text: one line per row, with the
/// shortest digits that read back as the same number; nan, inf, -inf. Streams; published like any
/// output (temporary file, sync, rename without replacing). Fails: InvalidArgument (more
/// dimensions), DtypeNotRepresentable (complex, packed, quantised), and the errors of runPlan.
Result<JobReport> exportCsv(const Checkpoint& source, TensorIndex tensor,
                            const std::filesystem::path& output, FileOps& fileOps,
                            JobContext& context, const EngineOptions& options = {});

} // namespace cairn
