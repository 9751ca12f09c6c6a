// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/opened.h"
#include "app/cli/verb.h"
#include "core/plan/consolidate.h"

/// Code shared by `reshard` and `plan reshard`.
namespace cairn::cli {

/// Everything is kept unless --only is given. Fails: InvalidArgument if the number of parts is
/// missing or invalid.
Result<ConsolidateOptions> reshardOptions(const Arguments& arguments, const Opened& source);

inline constexpr Option kRanksOption{
    "--ranks", "N", "Split every tensor over this many ranks (dcp), or write this many files"};
inline constexpr Option kDimOption{
    "--dim", "D", "The dimension to split: 0 (default), -1, or 0,1 for the axes of a grid"};
inline constexpr Option kGridOption{
    "--grid", "RxC", "A grid of ranks: 4x2 splits dimension 0 into 4 and dimension 1 into 2"};
inline constexpr Option kPerLayerOption{"--per-layer", "",
                                        "Write one file per layer (safetensors)"};

} // namespace cairn::cli
