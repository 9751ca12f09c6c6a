// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/adapter_settings.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/formats/common/text/json_values.h"
#include "core/io/byte_source.h"
#include "core/io/folder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace cairn {
namespace {

constexpr std::string_view kSettingsFile = "adapter_config.json";
constexpr std::uint64_t kMostSettings = std::uint64_t{16} << 20U;

/// The folder whose adapter_config.json belongs to these weights: that of a folder's checkpoint, or
/// of a file with PEFT's name.
FolderPtr settingsFolder(const Checkpoint& adapter) {
    if (adapter.files().empty()) {
        return nullptr;
    }
    const CheckpointFile& file = adapter.files().front();
    const std::string name = adapter.path().filename().string();
    const bool alone = file.path == name;
    return alone && !name.starts_with("adapter_model.") ? nullptr : file.folder;
}

Result<std::optional<Value>> settingsBeside(const Checkpoint& adapter) {
    const FolderPtr folder = settingsFolder(adapter);
    if (folder == nullptr || !folder->hasFile(kSettingsFile)) {
        return std::optional<Value>();
    }
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(kSettingsFile));
    if (source->size() > kMostSettings) {
        return fail(ErrorCode::LimitExceeded, "The adapter's settings are implausibly large")
            .inFile(std::string(kSettingsFile));
    }
    CAIRN_TRY(const auto bytes, readRange(*source, {0, source->size()}));
    CAIRN_TRY(const JsonValue json, parseJson(asText(bytes), kSettingsFile));
    return std::optional(valueFromJson(json));
}

/// Names of diffusers ("unet.….lora_A.weight", "….lora.down.weight") and kohya
/// ("lora_unet_….lora_down.weight").
bool isOfDiffusers(const TensorEntry& tensor) {
    static constexpr std::array<std::string_view, 5> kStarts = {
        "unet.", "transformer.", "text_encoder", "lora_unet_", "lora_te"};
    static constexpr std::array<std::string_view, 4> kWords = {".lora_down.", ".lora.down.",
                                                               ".lora_A.", "_lora.down."};
    const auto starts = [&](std::string_view each) { return tensor.name.starts_with(each); };
    const auto contains = [&](std::string_view each) {
        return tensor.name.find(each) != std::string::npos;
    };
    return std::ranges::any_of(kStarts, starts) && std::ranges::any_of(kWords, contains);
}

} // namespace

Result<AdapterConfig> readAdapterSettings(const Checkpoint& adapter) {
    CAIRN_TRY(const Value values, adapter.values());
    if (const Value* document = values.find("adapter_config")) {
        return AdapterConfig::of(*document);
    }
    CAIRN_TRY(const std::optional<Value> beside, settingsBeside(adapter));
    if (beside) {
        return AdapterConfig::of(*beside);
    }
    if (std::ranges::any_of(adapter.tensors(), isOfDiffusers)) {
        return fail(ErrorCode::Unsupported,
                    "A LoRA of diffusers or kohya: its scales are in the file, but it is for the "
                    "components of a pipeline, under names of its own")
            .withHint("diffusers merges it: pipeline.load_lora_weights(FILE), "
                      "pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)");
    }
    return fail(ErrorCode::NotFound, "The adapter has no adapter_config.json, without which its "
                                     "scale is unknown")
        .withHint("Name the folder that PEFT wrote, with adapter_config.json and "
                  "adapter_model.safetensors");
}

} // namespace cairn
