// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/diffusers.h"

#include "core/base/endian.h"
#include "core/families/config/name_pattern.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace cairn {
namespace {

// clang-format off
constexpr auto kOriginalNames = std::to_array<std::string_view>({
    "double_blocks.{i}.img_attn.{*}", "double_blocks.{i}.img_mod.{*}", "single_blocks.{i}.linear1.{*}",
    "single_blocks.{i}.modulation.{*}", "joint_blocks.{i}.context_block.{*}", "joint_blocks.{i}.x_block.{*}",
    "input_blocks.{i}.{j}.{*}", "output_blocks.{i}.{j}.{*}", "middle_block.{i}.{*}", "first_stage_model.{*}",
    "cond_stage_model.{*}", "encoder.down.{i}.block.{j}.{*}", "decoder.up.{i}.block.{j}.{*}",
});
// clang-format on

/// In front of the names in files of complete pipelines.
constexpr auto kOriginalPrefixes =
    std::to_array<std::string_view>({"model.diffusion_model.", "control_model."});

} // namespace

bool isOriginalDiffusionName(std::string_view name) {
    static const std::vector<NamePattern> patterns(kOriginalNames.begin(), kOriginalNames.end());
    for (const std::string_view prefix : kOriginalPrefixes) {
        name.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
    }
    return std::ranges::any_of(
        patterns, [name](const NamePattern& pattern) { return pattern.match(name).has_value(); });
}

std::string diffusersClass(std::span<const std::byte> config) {
    const auto json = nlohmann::json::parse(asText(config), nullptr, false);
    const bool named = json.is_object() && json.contains("_diffusers_version") &&
                       json.contains("_class_name") && json.at("_class_name").is_string();
    return named && !json.contains("model_type") ? json.at("_class_name").get<std::string>()
                                                 : std::string();
}

std::string diffusersClass(std::span<const Sidecar> sidecars) {
    const auto found = std::ranges::find(sidecars, "config.json", &Sidecar::name);
    return found == sidecars.end() ? std::string() : diffusersClass(found->bytes);
}

} // namespace cairn
