// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Names of the variables of TensorFlow's models (tf_model.h5), as transformers up to 4 read them.
/// Source: transformers 4.57, modeling_tf_pytorch_utils.py. Pure; any thread.
namespace cairn {

/// "transformer/h_._0/attn/c_attn/weight:0"
bool isKerasVariable(std::string_view name);

struct KerasName {
    std::string published;  ///< "transformer.h.0.attn.c_attn.weight", with the base's own name
    std::string operations; ///< of a Recipe, from the stored dimensions to the published ones
};
/// Of all variables of a model, of which `ranks` are the numbers of dimensions; empty if one is not
/// a variable, or of a layer that transformers reads in a way of its own.
std::vector<KerasName> publishedKerasNames(std::span<const std::string_view> names,
                                           std::span<const std::size_t> ranks);

} // namespace cairn
