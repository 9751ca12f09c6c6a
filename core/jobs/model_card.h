// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <string>

namespace cairn {

/// A short model card in Markdown: what a bundle was made from and how, its tensors, parameters and
/// dtypes, the decisions, the checklist. Names from files are shown with control characters made
/// visible and without Markdown's signs. Pure; the same for the same plan.
std::string modelCard(const CopyPlan& plan);

} // namespace cairn
