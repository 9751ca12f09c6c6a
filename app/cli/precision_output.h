// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/session.h"
#include "core/jobs/prepare/precision_preview.h"

/// The forecast of what a precision does to the weights.
namespace cairn::cli {

/// `precision: {dtype, scales, writable, bytes, source_bytes, rmse, cosine, sample, tensors:
/// [{name, dtype, rmse, cosine, worst_row: {index, rmse}, rows, rows_sampled, columns_sampled,
/// bytes, source_bytes, not_finite, lost, error}], kept: [{what, why, tensors}]}`. Figures of
/// tensors of which nothing could be read are null.
void writePrecision(JsonWriter& json, const PlannedPrecision& planned,
                    const PrecisionPreview& preview);

/// The sum, and the tensors with the largest errors; all of them with -v.
void printPrecision(Session& session, const PlannedPrecision& planned,
                    const PrecisionPreview& preview);

} // namespace cairn::cli
