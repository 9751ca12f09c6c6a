// SPDX-License-Identifier: Apache-2.0
#include "core/plan/subclass_parts.h"

#include "core/families/quantised/quantised_weights.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

namespace cairn {

void checkSubclassParts(Draft& draft, bool mustLoad) {
    const QuantisedWeights quantised(*draft.plan.source);
    const std::set<TensorIndex> chosen(draft.chosen.begin(), draft.chosen.end());
    const auto isRecorded = [&](std::string_view key) {
        return std::ranges::any_of(draft.metadata,
                                   [&](const auto& item) { return item.first == key; });
    };
    const QuantisedWeight* first = nullptr;
    std::size_t count = 0;
    for (const QuantisedWeight& weight : quantised.all()) {
        if (!weight.layout->recipe.empty() && chosen.contains(weight.codes) &&
            !draft.plan.recipes.contains(weight.codes) && !isRecorded(weight.layout->recipe)) {
            first = first != nullptr ? first : &weight;
            ++count;
        }
    }
    if (first != nullptr) {
        addProblem(draft, ErrorCode::Unsupported, mustLoad ? Severity::Error : Severity::Warning,
                   sentence("%1 weights of %2 are written as parts without the attributes of their "
                            "class: no loader makes weights of them",
                            count, first->layout->name),
                   "Use --dequantize to write the weights as numbers",
                   draft.plan.source->tensor(first->codes).name);
    }
}

} // namespace cairn
