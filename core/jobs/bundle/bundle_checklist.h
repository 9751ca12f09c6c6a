// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"
#include "core/plan/copy_plan.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

/// Internal to bundle.h: what a loader needs, and whether the planned folder has it.
namespace cairn {

/// config.json as it will be written.
struct BundleConfig {
    std::optional<nlohmann::ordered_json> json; ///< empty: none, or no object
    bool there = false;
    std::optional<ModelConfig> fields; ///< of json; see readFields()
    std::string diffusers;             ///< the class of a component of diffusers; empty: it is none
    bool changed = false;
    bool otherNames = false;     ///< the tensors have the names of another framework
    Sentence inferred;           ///< how the class was found that the source's config did not name
    bool isOneOfSeveral = false; ///< the tensors do not decide for the inferred class alone
};

/// Sets config.fields from config.json; empty if it is no config.
void readFields(BundleConfig& config);

/// Fills plan.checklist and plan.loader. Pure; linear in tensors.
void fillChecklist(CopyPlan& plan, const BundleConfig& config);

} // namespace cairn
