// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/adapter_settings.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/families/adapters/adapter_factors.h"
#include "core/formats/common/text/json_values.h"
#include "core/io/byte_source.h"
#include "core/io/folder.h"
#include "core/model/element.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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

/// The one element of a tensor.
Result<double> readNumber(const Checkpoint& checkpoint, TensorIndex index) {
    const TensorEntry& tensor = checkpoint.tensor(index);
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.bytes()));
    TensorReader::Scratch scratch;
    CAIRN_CHECK(reader.readBytes(Box::whole(tensor.shape), 0, bytes, scratch));
    return elementAsDouble(tensor.dtype, bytes);
}

/// What a file of diffusers or kohya records of its scales.
Result<RecordedScales> readScalesOf(const Checkpoint& adapter) {
    RecordedScales scales;
    for (const TensorIndex alpha : alphaTensors(adapter)) {
        CAIRN_TRY(scales.alphas[alpha], readNumber(adapter, alpha));
    }
    CAIRN_TRY(const Value values, adapter.values());
    const Value* metadata = values.find("__metadata__");
    const Value* packed = metadata != nullptr ? metadata->find(kPipelineSettings) : nullptr;
    const std::string* text = packed != nullptr ? packed->asString() : nullptr;
    if (text != nullptr) {
        CAIRN_TRY(const JsonValue json, parseJson(*text, kPipelineSettings));
        scales.settings = valueFromJson(json);
    }
    return scales;
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
    const auto factor = std::ranges::find_if(
        adapter.tensors(), [](const TensorEntry& tensor) { return isAdapterFactor(tensor.name); });
    if (factor != adapter.tensors().end() && !isAdapterOfPeft(adapter)) {
        return fail(ErrorCode::Unsupported, "The adapter's tensors have other names than those of "
                                            "PEFT, diffusers and kohya")
            .inTensor(factor->name)
            .withHint("diffusers may merge it: pipeline.load_lora_weights(FILE), "
                      "pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)");
    }
    return fail(ErrorCode::NotFound, "The adapter has no adapter_config.json, without which its "
                                     "scale is unknown")
        .withHint("Name the folder that PEFT wrote, with adapter_config.json and "
                  "adapter_model.safetensors");
}

Result<PeftAdapter> readAdapter(const CheckpointPtr& adapter, const AdapterBase* base) {
    if (!isPipelineAdapter(*adapter)) {
        CAIRN_TRY(AdapterConfig config, readAdapterSettings(*adapter));
        return PeftAdapter{adapter, std::move(config)};
    }
    CAIRN_TRY(const RecordedScales scales, readScalesOf(*adapter));
    return base != nullptr ? asAdapterOfPeft(*adapter, scales, *base)
                           : asAdapterOfPeft(*adapter, scales);
}

} // namespace cairn
