// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/names/framework.h"

#include <span>
#include <string_view>
#include <vector>

/// Internal to core/families: the config that follows from a framework's settings.
namespace cairn {

/// The settings of a checkpoint, and what contains them.
struct FoundSettings {
    ModelConfig fields;
    std::string_view name; ///< Framework::settings, or that of a SettingsForm
    bool exist = false;
};

/// Reads the settings that there are. Fails with Unsupported if they are of a class that is not
/// known or is not for the family; a class does not matter if a config is given.
Result<FoundSettings> findSettings(const Framework& framework, std::string_view family,
                                   const SettingsFinder& finder, bool hasConfig);

/// Fails with Unsupported if a setting contradicts the recipe. `hasConfig`: a config was given.
Result<void> checkSettings(const Framework& framework, std::string_view family,
                           const FoundSettings& found, bool hasConfig);

/// Fails with Unsupported if a given config says other numbers of layers or heads than the
/// settings: the parts of fused projections would be cut elsewhere.
Result<void> checkConfig(const Framework& framework, const FamilyRow& family,
                         const FoundSettings& found, const ModelConfig& config);

/// Whether a row applies to the family and its condition is met. A null config meets none.
Result<bool> isRefused(const RefusedSetting& row, std::string_view family,
                       const ModelConfig* config);

/// The fields that the settings give; of several rows for a field, the first that can be computed.
std::vector<ConfigField> fieldsOf(const Framework& framework, const FamilyRow& family,
                                  const FoundSettings& found);

/// Adds what only the tensors tell.
void addFacts(ModelConfig& settings, const Framework& framework,
              std::span<const NamedTensor> tensors, const Checkpoint& checkpoint);

} // namespace cairn
