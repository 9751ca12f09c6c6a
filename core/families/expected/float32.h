// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"

#include <string>
#include <vector>

namespace cairn {

/// Globs of tensors that the model of this config computes with in float32 whatever the dtype of
/// the rest (`_keep_in_fp32_modules_strict` of its class, for float16 also
/// `_keep_in_fp32_modules`), and of such tensors of models that are not known (empty config):
/// biases of routers, state spaces, attention sinks.
std::vector<std::string> float32Globs(const ModelConfig& config, bool isFloat16);

} // namespace cairn
