// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"
#include "core/plan/draft.h"

#include <vector>

/// Internal to core/plan: outputs that consist of several models, each in a folder.
namespace cairn {

/// Lays out each component as if it was written alone, with the names that its own loader expects;
/// segments have the names of the whole. Tensors of no component, and formats that a loader of
/// components does not read, are problems of severity Error.
void layOutComponents(Draft& draft, const LayoutTarget& target, const JobRequest& request,
                      const std::vector<OutputComponent>& components);

} // namespace cairn
