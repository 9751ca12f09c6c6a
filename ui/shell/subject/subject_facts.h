// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/inspector/inspector.h"
#include "ui/navigator/run_place.h"

/// The facts that the inspector shows of a selected run or experiment.
namespace cairn::ui {

Inspector::Facts runFacts(const RunPlace& run);
Inspector::Facts experimentFacts(const Experiment& experiment);

/// What the listing could not read, one line each, at most six; empty: nothing.
QString listingProblems(const Experiment& experiment);

} // namespace cairn::ui
