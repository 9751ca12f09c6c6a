// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <cstdint>
#include <optional>

namespace cairn::formats::gguf {

/// The dtype of a ggml type id (ggml.h, enum ggml_type); nothing for ids that were removed or are
/// not known.
std::optional<Dtype> dtypeOfGgml(std::uint32_t type);

/// The type id that a tensor of this dtype is written with: numbers that ggml has; nothing for all
/// others.
std::optional<std::uint32_t> ggmlOfDtype(Dtype dtype);

} // namespace cairn::formats::gguf
