// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/plan/copy_plan.h"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Internal to core/plan: a plan under construction.
namespace cairn {

inline constexpr std::size_t kNoScales = ~std::size_t{0};

struct Draft {
    CopyPlan plan;
    std::vector<TensorIndex> chosen;
    std::vector<Dtype> dtypes;             ///< output dtype of each of `chosen`; empty: as stored
    std::map<TensorIndex, Dtype> storedAs; ///< what counts as stored, instead of the tensor's dtype
    std::map<TensorIndex, Dtype> fixed;    ///< PlanFacts::fixedDtypes
    std::vector<LayoutTensor> tensors;
    std::size_t firstScale = kNoScales; ///< in the plan's source: scales that were added
    std::vector<StringTensor> strings;  ///< written beside `tensors`
    std::string baseName = "model";     ///< stem of the files' names
    std::vector<std::pair<std::string, std::string>> metadata;
};

void decide(Draft& draft, DecisionId id, Sentence value, Sentence why);
void addProblem(Draft& draft, const Error& error);
void addProblem(Draft& draft, ErrorCode code, Severity severity, Sentence message, Sentence fix,
                std::string tensor = {});

/// "a, b, c, and 7 more".
std::string someOf(std::span<const std::string> names, std::size_t shown = 5);

} // namespace cairn
