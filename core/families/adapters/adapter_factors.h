// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cairn {

/// Whether a tensor of that name belongs to an adapter whose change of a weight is a product or a
/// rotation, by whatever method and program: LoRA, LoHa, LoKr, OFT and others of PEFT, kohya,
/// LyCORIS, ComfyUI and XLabs. The mean of such tensors does not give the mean of the changes.
/// Sources: peft 0.21 (tuners/*/layer.py), LyCORIS 3 (modules), diffusers 0.42
/// (loaders/lora_conversion_utils.py). Pure.
bool isAdapterFactor(std::string_view name);

} // namespace cairn
