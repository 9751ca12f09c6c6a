// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/history.h"
#include "core/runs/history/source_chains.h"

#include <filesystem>

namespace cairn {

/// Removes curves that another logger of the same training wrote into the same folder or
/// one below it, with a notice: TensorBoard's events beside a CSV, evaluations beside the table of
/// the same logger. Of two sources of different kinds, all curves that both have must agree, the
/// shorter one in all its points; values may be rounded to 32 bits, as in TensorBoard. The one with
/// more points, counting replaced ones, is kept, else the one that is not rounded. `history`: after
/// joining, sorted by name. Pure.
void dropRepeatedCurves(RunHistory& history, const SourceChains& chains,
                        const std::filesystem::path& run);

} // namespace cairn
