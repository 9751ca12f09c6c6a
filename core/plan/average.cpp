// SPDX-License-Identifier: Apache-2.0
#include "core/plan/average.h"

#include "core/base/other_machine.h"
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_factors.h"
#include "core/families/quantised/quantised_weights.h"
#include "core/plan/plan_problems.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace cairn {
namespace {

std::string weightText(double weight) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", weight);
    return text.data();
}

/// What turns a weight of this layout into numbers.
Sentence howToDequantise(const WeightLayout& layout) {
    const std::string_view call = layout.unpack.empty() ? layout.library : layout.unpack;
    return layout.unpacking == Unpacking::Library
               ? sentence("Dequantise each checkpoint first, with %1", call)
               : sentence("Use --dequantize: the mean of their numbers is written; or, if it does "
                          "not carry out this variant, dequantise each checkpoint first, with %1",
                          call);
}

/// Codes and scales that are averaged apart are those of no weight. One problem for each layout
/// and member.
void refuseQuantised(Draft& draft, const std::vector<AverageMember>& members) {
    struct Weights {
        const WeightLayout* layout = nullptr;
        std::string first;
        std::size_t count = 0;
    };
    for (const AverageMember& member : members) {
        const Checkpoint& checkpoint = *member.checkpoint;
        const QuantisedWeights quantised(checkpoint);
        std::map<std::string_view, Weights> layouts;
        for (const TensorIndex index : draft.chosen) {
            const auto found = checkpoint.find(draft.plan.source->tensor(index).name);
            const QuantisedWeight* weight = found ? quantised.of(*found) : nullptr;
            if (weight != nullptr) {
                Weights& all = layouts[weight->layout->name];
                all.layout = weight->layout;
                all.first = all.first.empty() ? checkpoint.tensor(weight->codes).name : all.first;
                all.count += *found == weight->codes ? 1 : 0;
            }
        }
        for (const auto& [name, weights] : layouts) {
            addProblem(draft, ErrorCode::Unsupported, Severity::Error,
                       sentence("%1: %2 quantised weights (%3): codes and scales have no mean",
                                checkpoint.path().string(), weights.count, name),
                       howToDequantise(*weights.layout), weights.first);
        }
    }
}

/// The change of a weight is the product of two factors of an adapter: the mean of the products is
/// not the product of the means. Adapters alone are combined before they are planned.
void refuseAdapters(Draft& draft) {
    const auto found = std::ranges::find_if(draft.chosen, [&](TensorIndex index) {
        const std::string& name = draft.plan.source->tensor(index).name;
        return isAdapterFactor(name) || isAdapterTensor(name);
    });
    if (found != draft.chosen.end()) {
        const bool folds = isAdapterTensor(draft.plan.source->tensor(*found).name);
        addProblem(
            draft, ErrorCode::Unsupported, Severity::Error,
            "An adapter cannot be averaged with other weights: the mean of its factors is not "
            "the mean of its changes",
            folds ? Sentence("Fold it into the base first: cairn-cli fold BASE --adapter FOLDER")
                  : "Merge each into its base with the program that trained it, and average the "
                    "results",
            draft.plan.source->tensor(*found).name);
    }
}

/// Tensors of other members that the source, whose names are written, does not have.
Result<void> refuseOthers(Draft& draft, const Selection& selection,
                          const std::vector<AverageMember>& members) {
    std::size_t wrong = 0;
    for (const AverageMember& member : members) {
        CAIRN_TRY(const auto chosen, selectTensors(*member.checkpoint, selection));
        for (const TensorIndex index : chosen) {
            const std::string& name = member.checkpoint->tensor(index).name;
            if (!draft.plan.source->find(name) && ++wrong <= kMaxProblems) {
                addProblem(
                    draft, ErrorCode::TensorNotFound, Severity::Error,
                    sentence("Only %1 contains %2, not %3", member.checkpoint->path().string(),
                             name, draft.plan.source->path().string()),
                    "Average checkpoints of one model, or leave the tensor out with --only", name);
            }
        }
    }
    return {};
}

/// Whether a mean of the tensor's elements is meaningful.
bool isAveraged(const TensorEntry& tensor) {
    return dtypeInfo(tensor.dtype).kind == DtypeKind::Float && dtypeInfo(tensor.dtype).bits >= 16 &&
           tensor.role != Role::Buffer;
}

/// A weight that would be taken from one member without a mean: complex, float8, packed. Parts of
/// quantised weights are refused as such.
bool hasNoMean(const TensorEntry& tensor) {
    const DtypeKind kind = dtypeInfo(tensor.dtype).kind;
    return tensor.role == Role::Weight &&
           (kind == DtypeKind::Complex || (kind == DtypeKind::Float && !isAveraged(tensor)));
}

} // namespace

Result<void> checkMemberWeights(const std::vector<AverageMember>& members) {
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

Result<void> planAverage(Draft& draft, const Selection& selection,
                         const std::vector<AverageMember>& members) {
    CAIRN_CHECK(checkMemberWeights(members));
    refuseQuantised(draft, members);
    refuseAdapters(draft);
    CAIRN_CHECK(refuseOthers(draft, selection, members));
    const QuantisedWeights quantised(*draft.plan.source);
    std::vector<std::string> fromLast;
    std::size_t wrong = 0;
    for (const TensorIndex index : draft.chosen) {
        if (quantised.of(index) != nullptr) {
            continue; // refused above
        }
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
        if (hasNoMean(tensor)) {
            if (++wrong <= kMaxProblems) {
                addProblem(
                    draft, ErrorCode::Unsupported, Severity::Error,
                    sentence("A mean of %1 weights is not supported", dtypeName(tensor.dtype)),
                    "Cast each checkpoint to a wider float first, or leave the tensor out",
                    tensor.name);
            }
        } else if (!isAveraged(tensor)) {
            fromLast.push_back(tensor.name);
        } else if (recipe.terms.size() == members.size()) {
            draft.plan.recipes.emplace(index, std::move(recipe));
        }
    }
    std::vector<std::string> texts;
    for (const AverageMember& member : members) {
        texts.push_back(absolutePlace(member.checkpoint->path()).string() + " × " +
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
    CAIRN_CHECK(planAverage(draft, selection, members));
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
