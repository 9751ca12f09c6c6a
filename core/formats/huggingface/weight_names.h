// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

/// What a file's name alone states about weights. Pure.
namespace cairn::formats::huggingface {

/// Stems of files that hold a complete model, the most usual first; and of those that hold an
/// adapter.
inline constexpr auto kModelStems =
    std::to_array<std::string_view>({"model", "pytorch_model", "diffusion_pytorch_model"});
inline constexpr auto kAdapterStems =
    std::to_array<std::string_view>({"adapter_model", "pytorch_lora_weights"});

/// "optimizer.pt" -> "optimizer", ".pt"; without a dot, the name and nothing.
std::string stemOf(std::string_view name);
std::string_view extensionOf(std::string_view name);

/// True for extensions of torch's pickles.
bool isPickleName(std::string_view name);

/// "model.safetensors.index.json", "model.safetensors.index.fp16.json".
bool isIndexName(std::string_view name);

/// "ema", "model.ema": the stem of an average of other weights.
bool isAverageStem(std::string_view stem);

/// True for names of files that contain a complete model, and which are therefore copies if they
/// cannot be read.
bool isModelName(std::string_view name);

/// The same of an adapter.
bool isAdapterName(std::string_view name);

/// True for files of weights, whoever wrote them; a file of training state may be called alike.
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
