// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/copy_plan.h"

#include <string>

namespace cairn {

/// A short model card in Markdown: the source and conversion of a bundle, its tensors, parameters
/// and dtypes, the decisions, the checklist. In names from files control characters are made
/// visible and Markdown is escaped. Pure; the same for the same plan.
std::string modelCard(const CopyPlan& plan);

} // namespace cairn
