// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "core/runs/scan/nearby_adapters.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Which adapter belongs to which model. Reads indexes and settings, no element. Any thread.
namespace cairn {

/// What a checkpoint that is an adapter of PEFT says of itself (adapter_config.json).
struct AdapterFacts {
    std::string method;               ///< `peft_type`: "LORA"; may be empty
    std::optional<std::int64_t> rank; ///< `r`
    std::string base;                 ///< `base_model_name_or_path` as written; may be empty
    std::string revision;             ///< of the base on Hugging Face's hub; empty: not recorded
};

/// Nothing if the checkpoint is not an adapter, or has no settings. May read the values.
std::optional<AdapterFacts> adapterFacts(const Checkpoint& checkpoint);

/// Whether folding could add the adapter to this base: false if a tensor that it changes does not
/// exist there or has another shape, as PEFT would find. An adapter that is damaged, or of another
/// method, is of no other base: true. Fails with Cancelled, and the errors of reading the base's
/// config and names.
Result<bool> adapterFits(const CheckpointPtr& adapter, const CheckpointPtr& base,
                         const CancelToken& cancel = {});

/// Those of the adapters that fit the base, and those that cannot be opened, in order. Fails with
/// Cancelled.
Result<std::vector<NearbyAdapter>> fittingAdapters(std::vector<NearbyAdapter> adapters,
                                                   const CheckpointPtr& base,
                                                   const CancelToken& cancel = {});

/// Folders that may have the base of an adapter, the likeliest first, each once: the path that it
/// names (absolute, or below a folder around the adapter), folders of that name around it, and the
/// cache of Hugging Face's hub ($HF_HUB_CACHE, $HF_HOME). They exist; nothing in them is read.
/// Source: huggingface_hub's file_download.py for "models--OWNER--NAME/snapshots/REVISION".
std::vector<std::filesystem::path> adapterBasePlaces(const std::filesystem::path& adapter,
                                                     const AdapterFacts& facts);

/// The first of these places whose model the adapter fits; null: none. Fails with Cancelled.
Result<CheckpointPtr> findAdapterBase(const CheckpointPtr& adapter, const CancelToken& cancel = {});

} // namespace cairn
