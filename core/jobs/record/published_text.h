// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/plan/copy_plan.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

/// What an output may say about the machine on which it was made. Names of users, clusters and
/// projects do not belong into what is published. Pure but for the working folder.
namespace cairn {

/// A checkpoint as an output names it: the path from the folder that contains the output if it is
/// in there, else its name alone.
std::string sourceName(const CopyPlan& plan, const Checkpoint& checkpoint);

/// The text with the paths of the plan's sources replaced by their sourceName(), and every other
/// absolute path by its last component.
std::string publishedText(const CopyPlan& plan, std::string_view text);
inline std::string publishedText(const CopyPlan& plan, const Sentence& sentence) {
    return publishedText(plan, sentence.text());
}

/// The plan's options: a text each, or a list for one that was given several times. Those that name
/// places are publishedText(); the others are as given, so that verification can do the job again.
nlohmann::ordered_json publishedOptions(const CopyPlan& plan);

} // namespace cairn
