// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The names of adapters for pipelines of diffusers. Internal to core/families; sources:
/// pipeline_adapter.h. Pure.
namespace cairn {

/// What of a module a tensor is.
enum class PipelinePart : std::uint8_t { A, B, Bias, Magnitude, Alpha, Unknown };

struct PipelineKey {
    std::string component; ///< "unet", "text_encoder_2"; kohya's "unet" may be a transformer
    std::string module;    ///< "down_blocks.1.attentions.0.proj_in", or the same with underscores
    PipelinePart part = PipelinePart::Unknown;
    bool flat = false; ///< kohya's: dots are underscores
    std::string stem;  ///< of the name, which the tensors of a module have in common
};

/// Nothing if it is no name of such an adapter.
std::optional<PipelineKey> pipelineKey(std::string_view name);

/// A flat name of the layers of Stability's UNet ("input_blocks_4_1_proj_in") as diffusers numbers
/// them; nothing if it is none. `resnets`: of one of the blocks down.
std::optional<std::string> flatNameOfDiffusers(std::string_view flat, std::int64_t resnets);

} // namespace cairn
