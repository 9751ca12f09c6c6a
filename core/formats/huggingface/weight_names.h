// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

/// Classifies files of weights by name. Pure.
namespace cairn::formats::huggingface {

/// Stems of files with a complete model, and of files with an adapter, the most common first.
inline constexpr auto kModelStems =
    std::to_array<std::string_view>({"model", "pytorch_model", "diffusion_pytorch_model"});
/// The same of Flax and TensorFlow, as transformers up to 4 and diffusers write them.
inline constexpr auto kOtherModelStems =
    std::to_array<std::string_view>({"flax_model", "tf_model", "diffusion_flax_model"});
inline constexpr auto kAdapterStems =
    std::to_array<std::string_view>({"adapter_model", "pytorch_lora_weights"});

/// "optimizer.pt" -> "optimizer" and ".pt"; without a dot, the name and an empty text.
std::string stemOf(std::string_view name);
std::string_view extensionOf(std::string_view name);

/// True for extensions of torch's pickles.
bool isPickleName(std::string_view name);

/// "model.safetensors.index.json", "model.safetensors.index.fp16.json", "tf_model.h5.index.json".
bool isIndexName(std::string_view name);

/// "ema", "model.ema": the stem of an average of other weights.
bool isAverageStem(std::string_view stem);

/// True for names of files that contain a complete model, and which are therefore copies if they
/// cannot be read.
bool isModelName(std::string_view name);

/// The same for adapters.
bool isAdapterName(std::string_view name);

/// True for files of weights in any format; files of training state may have such names, too.
bool looksLikeWeights(std::string_view name);

/// How the name of a file of weights relates to the chosen ones.
enum class WeightName {
    Same,    ///< a model or an adapter, possibly in another precision ("model.fp16.safetensors")
    Variant, ///< a variant of a model with possibly different weights ("….non_ema.safetensors")
    Average, ///< "ema.safetensors", "model.ema.safetensors"
    Own,     ///< any other name: "critic.safetensors"
};
WeightName weightNameOf(std::string_view name);

} // namespace cairn::formats::huggingface
