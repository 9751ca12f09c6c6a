// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Parses a parameter's name in a rank's file: virtual stage, layer, expert. Pure.
namespace cairn::formats::megatron {

struct NameInModel {
    std::uint32_t chunk = 0; ///< virtual stage of the pipeline rank
    std::string_view name;   ///< within the model
};
/// "model.x" -> 0, "x"; "model1.x" -> 1, "x"; empty: not part of the model.
std::optional<NameInModel> nameInModel(std::string_view name);

/// The number of a layer or an expert in a name: "decoder.layers.3.mlp…".
struct NumberInName {
    std::size_t at = 0;
    std::size_t length = 0;
    std::uint64_t number = 0;
    std::string_view before; ///< name of the stack of layers: "decoder.layers."
};
std::optional<NumberInName> layerNumber(std::string_view name);
std::optional<NumberInName> expertNumber(std::string_view name);
std::string withNumber(std::string_view name, const NumberInName& place, std::uint64_t number);

} // namespace cairn::formats::megatron
