// SPDX-License-Identifier: Apache-2.0
#include "core/plan/average.h"

#include "core/base/absolute_path.h"
#include "core/plan/plan_problems.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

namespace cairn {
namespace {

std::string weightText(double weight) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", weight);
    return text.data();
}

Result<void> checkWeights(const std::vector<AverageMember>& members) {
    if (members.size() < 2) {
        return fail(ErrorCode::InvalidArgument, "An average needs two or more checkpoints");
    }
    double sum = 0;
    for (const AverageMember& member : members) {
        if (!(member.weight >= 0) || !std::isfinite(member.weight)) {
            return fail(ErrorCode::InvalidArgument, "A weight must be a non-negative number")
                .butFound(verbatim(weightText(member.weight)));
        }
        sum += member.weight;
    }
    if (!(sum > 0)) {
        return fail(ErrorCode::InvalidArgument, "All weights are 0");
    }
    return {};
}

/// Whether a mean of the tensor's elements is meaningful.
bool isAveraged(const TensorEntry& tensor) {
    return dtypeInfo(tensor.dtype).kind == DtypeKind::Float && dtypeInfo(tensor.dtype).bits >= 16 &&
           tensor.role != Role::Buffer;
}

} // namespace

Result<void> planAverage(Draft& draft, const std::vector<AverageMember>& members) {
    CAIRN_CHECK(checkWeights(members));
    std::vector<std::string> fromLast;
    std::size_t wrong = 0;
    for (const TensorIndex index : draft.chosen) {
        const TensorEntry& tensor = draft.plan.source->tensor(index);
        ElementRecipe recipe;
        for (const AverageMember& member : members) {
            const auto found = member.checkpoint->find(tensor.name);
            const bool fits = found && member.checkpoint->tensor(*found).shape == tensor.shape &&
                              isAveraged(member.checkpoint->tensor(*found)) == isAveraged(tensor);
            if (fits) {
                recipe.terms.push_back({member.checkpoint, *found, member.weight, member.expected});
            } else if (++wrong <= kMaxProblems) {
                addProblem(draft, ErrorCode::TensorNotFound, Severity::Error,
                           sentence("%1%2%3", member.checkpoint->path().string(),
                                    found ? Sentence(" has a different shape or kind of dtype of ")
                                          : " does not contain ",
                                    tensor.name),
                           "Average checkpoints of one run", tensor.name);
            }
        }
        if (!isAveraged(tensor)) {
            fromLast.push_back(tensor.name);
        } else if (recipe.terms.size() == members.size()) {
            draft.plan.recipes.emplace(index, std::move(recipe));
        }
    }
    std::vector<std::string> texts;
    for (const AverageMember& member : members) {
        texts.push_back(absolutePath(member.checkpoint->path()).string() + " × " +
                        weightText(member.weight));
    }
    decide(draft, DecisionId::Averaged, verbatim(someOf(texts, 8)),
           "Summed in float64 in this order, divided by the sum of the weights, then rounded");
    if (!fromLast.empty()) {
        decide(draft, DecisionId::NotAveraged, verbatim(someOf(fromLast, 3)),
               "Integers, flags and buffers are copied from the last checkpoint");
    }
    return {};
}

Result<AveragedSource> averagedSource(const CheckpointPtr& source, const Selection& selection,
                                      const std::vector<AverageMember>& members) {
    Draft draft;
    draft.plan.source = source;
    CAIRN_TRY(draft.chosen, selectTensors(*source, selection));
    CAIRN_CHECK(planAverage(draft, members));
    AveragedSource made;
    made.computed.source = source;
    for (const auto& [tensor, recipe] : draft.plan.recipes) {
        const AverageTerm& first = recipe.terms.front();
        const Dtype dtype = first.checkpoint->tensor(first.tensor).dtype;
        if (dtype != source->tensor(tensor).dtype) {
            made.computed.dtypes.emplace(tensor, dtype);
        }
    }
    made.computed.recipes = std::move(draft.plan.recipes);
    made.decisions = std::move(draft.plan.decisions);
    made.problems = std::move(draft.plan.problems);
    return made;
}

} // namespace cairn
