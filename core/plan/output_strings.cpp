// SPDX-License-Identifier: Apache-2.0
#include "core/plan/output_strings.h"

#include "core/model/string_elements.h"
#include "core/plan/draft.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace cairn {

/// Takes the tensors of strings from the selected ones: for formats that can store them, with their
/// elements.
void takeStrings(Draft& draft, const JobRequest& request, const PlanFacts& facts) {
    const Checkpoint& source = *draft.plan.source;
    std::erase_if(draft.chosen, [&](TensorIndex index) {
        const TensorEntry& tensor = source.tensor(index);
        const auto elements = facts.strings.find(index);
        if (!hasStrings(tensor.dtype) || elements == facts.strings.end()) {
            return false;
        }
        if (!elements->second) {
            Error error = elements->second.error();
            error.where.tensor = tensor.name;
            addProblem(draft, error);
            if (request.force) {
                draft.plan.problems.back().severity = Severity::Warning;
            }
            return true;
        }
        draft.strings.push_back(
            {request.rename.apply(tensor.name), tensor.name, tensor.shape, *elements->second});
        return true;
    });
}

/// Adds the source's record of its objects to what is written.
void addObjectGraph(Draft& draft, const LayoutTarget& target, const JobRequest& request,
                    const PlanFacts& facts) {
    if (target.can.objectGraph.empty()) {
        return;
    }
    const std::string name(target.can.objectGraph);
    const auto isGraph = [&](const StringTensor& tensor) { return tensor.stored == name; };
    const auto index = draft.plan.source->find(name);
    const auto elements = index ? facts.strings.find(*index) : facts.strings.end();
    auto chosen = std::ranges::find_if(draft.strings, isGraph);
    if (chosen == draft.strings.end() && elements != facts.strings.end() && elements->second &&
        request.only.kind != Selection::Kind::Glob) {
        draft.strings.push_back(
            {name, name, draft.plan.source->tensor(*index).shape, *elements->second});
        chosen = std::prev(draft.strings.end());
    }
    if (chosen == draft.strings.end() && elements != facts.strings.end() && !elements->second &&
        request.only.kind != Selection::Kind::All) { // else it is a problem already
        addProblem(draft, elements->second.error());
        draft.plan.problems.back().severity = Severity::Warning;
        draft.plan.problems.back().where.tensor = name;
    }
    if (chosen != draft.strings.end()) {
        chosen->name = name;
    }
}

/// States whether the output has an object graph, and what that is good for.
void decideObjectGraph(Draft& draft, const LayoutTarget& target) {
    if (target.can.objectGraph.empty()) {
        return;
    }
    const bool isCarried = std::ranges::any_of(draft.strings, [&](const StringTensor& tensor) {
        return tensor.stored == target.can.objectGraph;
    });
    if (!isCarried) {
        decide(draft, DecisionId::ObjectGraph, "none",
               "Without an object graph the tensors are loaded by their names "
               "(tf.train.load_checkpoint), not by tf.train.Checkpoint.restore");
        return;
    }
    const auto cast = std::ranges::find_if(draft.tensors, [&](const LayoutTensor& tensor) {
        return tensor.dtype != draft.plan.source->tensor(tensor.source).dtype;
    });
    decide(draft, DecisionId::ObjectGraph, "carried",
           cast == draft.tensors.end()
               ? Sentence("tf.train.Checkpoint.restore finds the variables by it; what is left out "
                          "of the output is left out of it, too")
               : sentence("tf.train.Checkpoint.restore finds the variables by it, and fails unless "
                          "the program makes them with the new dtypes: %1 is %2",
                          cast->name, dtypeName(cast->dtype)));
}

/// The other formats cannot store tensors of strings.
void leaveOutStrings(Draft& draft) {
    const auto isText = [&](TensorIndex index) {
        return hasStrings(draft.plan.source->tensor(index).dtype);
    };
    const auto kept = std::stable_partition(draft.chosen.begin(), draft.chosen.end(),
                                            [&](TensorIndex index) { return !isText(index); });
    const auto count = static_cast<std::size_t>(draft.chosen.end() - kept);
    if (count == 0) {
        return;
    }
    std::string names = draft.plan.source->tensor(*kept).name;
    names += count > 1 ? " and " + std::to_string(count - 1) + " more" : "";
    draft.chosen.erase(kept, draft.chosen.end());
    decide(draft, DecisionId::StringsLeftOut, sentence("left out: %1", names),
           "The format stores numbers only; `cairn-cli show` prints the strings");
}

} // namespace cairn
