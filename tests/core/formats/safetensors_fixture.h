// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/formats/format_fixture.h"

#include <filesystem>

namespace cairn::formats::safetensors {
extern const FormatInfo kFormat;
}

/// The samples, and a checkpoint opened as safetensors.
namespace cairn::test::safetensors {

using formats::safetensors::kFormat;
inline const std::filesystem::path kData = CAIRN_SOURCE_DIR "/tests/data/safetensors";

/// nullptr, and a test failure, if it does not open.
inline CheckpointPtr opened(const std::filesystem::path& path) {
    auto checkpoint = openAs(kFormat, path);
    EXPECT_TRUE(checkpoint) << (checkpoint ? "" : describe(checkpoint.error()));
    return checkpoint ? *checkpoint : nullptr;
}

} // namespace cairn::test::safetensors
