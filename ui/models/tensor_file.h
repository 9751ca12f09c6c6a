// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <utility>

namespace cairn::ui {

inline constexpr std::uint64_t kMostDraggedBytes = 256'000'000; ///< that wait for a drop

/// The name and bytes of a file of one tensor: .npy, or .safetensors for a dtype that NumPy does
/// not have. Reads the tensor. Fails: LimitExceeded above kMostDraggedBytes, Unsupported, and the
/// errors of reading.
Result<std::pair<QString, QByteArray>> tensorFile(const Checkpoint& checkpoint, TensorIndex tensor);

} // namespace cairn::ui
