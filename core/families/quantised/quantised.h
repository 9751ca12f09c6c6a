// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// How quantised models store a parameter: packed elements, and tensors with their scales and code
/// books, by `quant_method`.
namespace cairn {

struct QuantisedLayout {
    /// What takes the place of a parameter's name, or is appended to it.
    struct Part {
        std::string_view parameter; ///< end of the parameter's name: ".weight"; "": any
        std::string_view stored;    ///< end of the name in place of it; `*` at its end: any rest
        bool standsForIt = false;   ///< without it, the parameter is missing
    };
    std::string_view method; ///< `quantization_config.quant_method`
    std::span<const Part> parts;
    bool inPlace = false; ///< the parameter itself may have packed elements

    struct Found {
        std::string parameter;
        bool standsForIt = false;
    };
    /// The parameter to which a stored tensor belongs.
    [[nodiscard]] std::optional<Found> partOf(std::string_view name) const;
};

/// That of the config's quantisation; null: not quantised, or in an unknown way.
const QuantisedLayout* quantisedLayout(const ModelConfig& config);

std::span<const QuantisedLayout> quantisedLayouts();

/// The fields of a config that describe how the weights are quantised: transformers' and mlx-lm's.
/// They are left out of the config of weights that are numbers again.
inline constexpr auto kQuantisationFields =
    std::to_array<std::string_view>({"quantization_config", "quantization"});

} // namespace cairn
