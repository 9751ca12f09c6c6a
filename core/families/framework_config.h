// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/framework.h"

#include <span>
#include <string_view>
#include <vector>

/// Internal to core/families: the config that follows from a framework's settings.
namespace cairn {

/// Fails with Unsupported if a setting contradicts the recipe. `hasConfig`: a config was given.
Result<void> checkSettings(const Framework& framework, std::string_view family,
                           const ModelConfig& settings, bool hasConfig);

/// The fields that the settings give; of several rows for a field, the first that can be computed.
std::vector<ConfigField> fieldsOf(const Framework& framework, const FamilyRow& family,
                                  const ModelConfig& settings);

ModelConfig configOf(const std::vector<ConfigField>& fields);

/// Adds what only the tensors tell.
void addFacts(ModelConfig& settings, const Framework& framework,
              std::span<const NamedTensor> tensors, const Checkpoint& checkpoint);

} // namespace cairn
