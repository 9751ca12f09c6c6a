// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstdint>
#include <optional>

namespace cairn::formats::gguf {

/// The dtype of a ggml type id (ggml.h, enum ggml_type); empty for removed or unknown ids.
std::optional<Dtype> dtypeOfGgml(std::uint32_t type);

/// The type id for writing a tensor of this dtype, for dtypes that ggml supports as plain numbers;
/// else empty.
std::optional<std::uint32_t> ggmlOfDtype(Dtype dtype);

} // namespace cairn::formats::gguf
