// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_writer.h"
#include "app/cli/opened.h"
#include "core/analysis/weight_values.h"

/// Quantised weights, for the verbs that read weights.
namespace cairn::cli {

/// openSelected() to read weights from: its checkpoint is that of `weights`, and a name is that of
/// a weight or of a stored tensor.
struct OpenedWeights {
    Opened opened;
    WeightValues weights;
};
Result<OpenedWeights> openSelectedWeights(const Arguments& arguments, const CancelToken& cancel);

/// {"kind": "weight" | "codes" | "part", "layout", "weight", "stored": {"name", "dtype", "shape"},
/// "why"?}: what a tensor of a quantised weight is, and how it is stored.
void writeQuantised(JsonWriter& json, const QuantisedTensor& tensor, const TensorEntry& stored);

} // namespace cairn::cli
