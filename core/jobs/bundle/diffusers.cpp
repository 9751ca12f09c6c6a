// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/diffusers.h"

#include "core/base/endian.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace cairn {

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
