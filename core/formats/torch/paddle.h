// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_objects.h"

#include <string_view>

/// Pickles of paddle.save. Source: paddle/framework/io.py (2.0 to 3.3). Private to this folder.
namespace cairn::formats::torch {

/// Whether paddle.save wrote these objects: it adds the key `StructuredToParameterName@@` to a
/// state dict; inside other containers each tensor is a pair of its name and an array, which counts
/// in a file with one of Paddle's endings.
bool isPaddle(const TorchObjects& objects, std::string_view fileName);

/// Pairs become their arrays, under the pair's name. In pairs and directly in a state dict Paddle
/// loads uint16, of which it has no tensors, as bfloat16; other arrays stay as they are.
void readAsPaddle(TorchObjects& objects);

} // namespace cairn::formats::torch
