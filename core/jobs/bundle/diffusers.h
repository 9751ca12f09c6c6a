// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/consolidate.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Models of diffusers: a pipeline consists of components, each a folder with a config.json of its
/// own. Source: diffusers 0.42, ModelMixin.from_pretrained and save_pretrained.
namespace cairn {

/// What diffusers calls the files of a component's weights.
inline constexpr std::string_view kDiffusersStem = "diffusion_pytorch_model";

/// The class that a component's config.json names; empty: it is not one of diffusers.
std::string diffusersClass(std::span<const std::byte> config);
/// The same of the config.json among these.
std::string diffusersClass(std::span<const Sidecar> sidecars);

} // namespace cairn
