// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment.h"

#include <QString>

namespace cairn::ui::words {

/// The name of a run among those of its experiment: "sweep (this folder)" for checkpoints in the
/// experiment's own folder beside runs.
QString runName(const Experiment& experiment, const ScannedRun& run);

} // namespace cairn::ui::words
