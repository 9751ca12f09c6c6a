// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn {

/// A folder with an adapter_config.json of PEFT, as that file describes it; nothing is checked
/// until the adapter is folded.
struct NearbyAdapter {
    std::filesystem::path path;
    std::string method; ///< `peft_type`: "LORA"; may be empty
    std::string base;   ///< `base_model_name_or_path` as written; may be empty
};

/// Adapters that may belong to a checkpoint: in folders below it, beside it, and below and beside
/// its run's folder, nearest first, each once. Levels, folders and results are limited; folders
/// that cannot be read, and links, are passed over. Reads only adapter_config.json. Fails only
/// with Cancelled. Source: PEFT's save_pretrained(), which writes one folder an adapter, and
/// transformers' Trainer, whose checkpoint-N folders hold one each.
Result<std::vector<NearbyAdapter>> nearbyAdapters(const std::filesystem::path& checkpoint,
                                                  const std::filesystem::path& run,
                                                  const CancelToken& cancel = {});
inline constexpr std::size_t kMostNearbyAdapters = 32;
inline constexpr std::size_t kMostAdapterFolders = 2'000; ///< that are listed

} // namespace cairn
