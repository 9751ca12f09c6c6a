// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/draft.h"

namespace cairn {

/// Adds a problem if the output has parts of tensor subclasses without what their class needs to
/// make weights of them (WeightLayout::recipe): a warning, or an error if `mustLoad`. After the
/// dtypes and the metadata are chosen.
void checkSubclassParts(Draft& draft, bool mustLoad);

} // namespace cairn
