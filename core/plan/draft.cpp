// SPDX-License-Identifier: Apache-2.0
#include "core/plan/draft.h"

#include <algorithm>

namespace cairn {

void decide(Draft& draft, DecisionId id, Sentence value, Sentence why) {
    draft.plan.decisions.push_back({id, std::move(value), std::move(why)});
}

void addProblem(Draft& draft, const Error& error) {
    PlanProblem problem{error.code, Severity::Error, error.message, error.hint, error.where};
    if (!error.found.empty()) {
        problem.message = sentence("%1 (%2)", error.message, error.found);
    }
    draft.plan.problems.push_back(std::move(problem));
}

void addProblem(Draft& draft, ErrorCode code, Severity severity, Sentence message, Sentence fix,
                std::string tensor) {
    PlanProblem problem{code, severity, std::move(message), std::move(fix), {}};
    problem.where.tensor = std::move(tensor);
    draft.plan.problems.push_back(std::move(problem));
}

std::string someOf(std::span<const std::string> names, std::size_t shown) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) {
        text += (i > 0 ? ", " : "") + names[i];
    }
    text += names.size() > shown ? ", and " + std::to_string(names.size() - shown) + " more" : "";
    return text;
}

} // namespace cairn
