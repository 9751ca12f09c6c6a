// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <memory>

namespace cairn::formats::deepspeed {

/// Shows 16-bit floats as the float32 that DeepSpeed's own merge makes of buffers; every value is
/// kept. For raw, dense pieces. Safe from any thread.
std::shared_ptr<const PieceCodec> makeWidenCodec(Dtype stored);

/// True for what makeWidenCodec() widens.
bool isNarrowFloat(Dtype dtype);

} // namespace cairn::formats::deepspeed
