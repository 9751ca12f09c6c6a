// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/inspector/inspector.h"
#include "ui/navigator/run_place.h"

#include <filesystem>

/// The facts that the inspector shows of a selected run, experiment or checkpoint.
namespace cairn::ui {

Inspector::Facts runFacts(const RunPlace& run);
/// What was decided about a checkpoint of the run, with the evidence; empty if it is not listed.
Inspector::Facts checkpointFacts(const ScannedRun& run, const std::filesystem::path& checkpoint);
Inspector::Facts experimentFacts(const Experiment& experiment);

/// What the listing could not read, one line each, at most six; empty: nothing.
QString listingProblems(const Experiment& experiment);

} // namespace cairn::ui
