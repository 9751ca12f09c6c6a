// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/record/verify_result.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// What of the source a comparison expects in the output.
enum class VerifyScope : std::uint8_t {
    OutputTensors, ///< those that the output contains
    Everything, ///< all tensors, plain values and files beside them (verify_beside.h), and no other
};

/// Compares every tensor of `output` with the tensor of `source` from which it was made, byte by
/// byte, whatever their formats and shardings. If the output's manifest tells of other layouts,
/// scales, adapters or an average, the recorded job is computed again (verify_recomputed.h), with
/// the further checkpoints that it names; `inputs`: places of these (recorded_inputs.h). Names
/// match if they are equal, or if `source`'s equals the output's after a container prefix
/// ("model.") that works for all names, or if the output's manifest names the source tensor; if the
/// manifest also records a dtype, the source's elements are cast to it again. Files of `output` are
/// dropped from the page cache first, so that they are read from the device. Fails only if
/// comparing is impossible (unreadable source, an input that is not found, cancelled); damage in
/// `output` is a mismatch.
Result<VerifyResult> verifyCheckpoints(const CheckpointPtr& source, const Checkpoint& output,
                                       JobContext& context,
                                       VerifyScope scope = VerifyScope::OutputTensors,
                                       std::span<const std::filesystem::path> inputs = {});

/// Compares an output with its manifest: every file's size and SHA-256. Fails: JsonSyntax and
/// JsonWrongType if it is not a manifest.
Result<VerifyResult> verifyAgainstManifest(const std::filesystem::path& output,
                                           const std::filesystem::path& manifest,
                                           JobContext& context);

/// The same with the manifest at its usual path. Fails: NotFound without a manifest, JsonSyntax and
/// JsonWrongType if it is not a manifest.
Result<VerifyResult> verifyAgainstManifest(const std::filesystem::path& output,
                                           JobContext& context);

} // namespace cairn
