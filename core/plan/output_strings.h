// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/consolidate.h"

/// Tensors of strings, and TensorFlow's record of its objects, which is one of them.
namespace cairn {

struct Draft;

/// Takes the tensors of strings from the selected ones: for formats that can store them, with their
/// elements. Strings that cannot be read are a problem, with `force` a warning.
void takeStrings(Draft& draft, const JobRequest& request, const PlanFacts& facts);
/// The other formats cannot store tensors of strings: takes them from the selected ones, and says
/// so.
void leaveOutStrings(Draft& draft);
/// Adds the source's record of its objects to what is written.
void addObjectGraph(Draft& draft, const LayoutTarget& target, const JobRequest& request,
                    const PlanFacts& facts);
/// States whether the output has an object graph, and what that is good for.
void decideObjectGraph(Draft& draft, const LayoutTarget& target);

} // namespace cairn
