// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

/// Files of torch.save(): as zip archives, and in the format before them.
namespace cairn::test {

inline const std::filesystem::path kZip = CAIRN_SOURCE_DIR "/tests/data/torch";
inline const std::filesystem::path kLegacy = CAIRN_SOURCE_DIR "/tests/data/torch_legacy";

} // namespace cairn::test
