// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <memory>

namespace cairn::formats::deepspeed {

/// Shows 16-bit floats as float32, as DeepSpeed's own merge does for buffers; lossless. For raw,
/// dense pieces. Any thread.
std::shared_ptr<const PieceCodec> makeWidenCodec(Dtype stored);

/// True for the dtypes that makeWidenCodec() supports.
bool isNarrowFloat(Dtype dtype);

} // namespace cairn::formats::deepspeed
