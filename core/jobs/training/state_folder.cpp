// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/state_folder.h"

#include "core/base/ascii.h"
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/torch/torch_archive.h"
#include "core/formats/common/torch/torch_pickler.h"
#include "core/formats/format.h"
#include "core/jobs/training/jax_source.h"
#include "core/jobs/training/megatron_state.h"
#include "core/plan/first_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn {
namespace {

bool isDocument(std::string_view stem) {
    return stem == "trainer_state" || stem == "config";
}

Error notJson(const std::string& place) {
    return fail(ErrorCode::Unsupported, "JSON cannot store this value").inField(place);
}

Result<nlohmann::ordered_json> documentOf(const Value& value, const std::string& place) {
    switch (value.kind()) {
    case ValueKind::Null:
        return nlohmann::ordered_json();
    case ValueKind::Bool:
        return nlohmann::ordered_json(*value.asBool());
    case ValueKind::Int:
        return nlohmann::ordered_json(*value.asInt());
    case ValueKind::Float:
        return nlohmann::ordered_json(*value.asFloat());
    case ValueKind::String:
        return isValidUtf8(*value.asString())
                   ? Result<nlohmann::ordered_json>(nlohmann::ordered_json(*value.asString()))
                   : notJson(place);
    case ValueKind::List:
    case ValueKind::Tuple: {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const ValueItem& item : value.items()) {
            CAIRN_TRY(auto each, documentOf(item.value, place));
            list.push_back(std::move(each));
        }
        return list;
    }
    case ValueKind::Dict: {
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (const ValueItem& item : value.items()) {
            const std::string key = keyText(item.key);
            if (!isValidUtf8(key) || object.contains(key)) {
                return notJson(place + "." + key);
            }
            CAIRN_TRY(object[key], documentOf(item.value, place + "." + key));
        }
        return object;
    }
    default:
        return notJson(place);
    }
}

/// As Python writes and reads it: with NaN and Infinity. `indent`: of a line; empty: one line.
void appendJson(std::string& out, const nlohmann::ordered_json& json, std::optional<int> indent) {
    const std::string line =
        indent ? "\n" + std::string(static_cast<std::size_t>(*indent), ' ') : std::string();
    if (json.is_number_float() && !std::isfinite(json.get<double>())) {
        const double number = json.get<double>();
        out += std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
        return;
    }
    if (!json.is_structured() || json.empty()) {
        out += json.dump();
        return;
    }
    const auto inside = indent ? std::optional(*indent + 2) : std::nullopt;
    out += json.is_object() ? '{' : '[';
    bool isFirst = true;
    for (const auto& item : json.items()) {
        out += (isFirst ? "" : ",") + line + (indent ? "  " : "");
        if (json.is_object()) {
            out += nlohmann::ordered_json(item.key()).dump() + (indent ? ": " : ":");
        }
        appendJson(out, item.value(), inside);
        isFirst = false;
    }
    out += line;
    out += json.is_object() ? '}' : ']';
}

/// The tensors of a request that a part of its values refers to.
class PartOfRequest {
public:
    explicit PartOfRequest(const LayoutRequest& request) : m_request(request) {
        for (std::size_t i = 0; i < request.tensors.size(); ++i) {
            m_positions.emplace(request.tensors[i].source.value, i);
        }
    }

    /// In the order of the values.
    [[nodiscard]] std::vector<LayoutTensor> tensorsOf(const Value& value) const {
        std::vector<LayoutTensor> inside;
        std::map<std::size_t, std::size_t> placed; // position in the request → in `inside`
        collect(value, inside, placed);
        for (LayoutTensor& tensor : inside) {
            const auto at = tensor.aliasOf ? placed.find(*tensor.aliasOf) : placed.end();
            tensor.aliasOf = at != placed.end() ? std::optional(at->second) : std::nullopt;
        }
        return inside;
    }

private:
    void collect(const Value& value, std::vector<LayoutTensor>& inside,
                 std::map<std::size_t, std::size_t>& placed) const {
        if (const TensorIndex* reference = value.asTensor()) {
            const auto at = m_positions.find(reference->value);
            if (at != m_positions.end() && placed.emplace(at->second, inside.size()).second) {
                inside.push_back(m_request.tensors[at->second]);
            }
        }
        for (const ValueItem& item : value.items()) {
            collect(item.value, inside, placed);
        }
    }

    const LayoutRequest& m_request;
    std::unordered_map<std::uint32_t, std::size_t> m_positions;
};

/// A torch.save archive of one part.
Result<OutputFile> archiveOf(const PartOfRequest& part, const Value& value) {
    const std::vector<LayoutTensor> inside = part.tensorsOf(value);
    formats::ValuePickler pickler(inside);
    CAIRN_TRY(std::vector<std::byte> pickle, pickler.write(&value));
    return formats::layOutTorchArchive(inside, std::move(pickle));
}

Result<OutputFile> documentFile(const Value& value, const std::string& stem) {
    CAIRN_TRY(const auto json, documentOf(value, stem));
    std::string text;
    appendJson(text, json, 0);
    text += '\n';
    const auto bytes = asBytes(text);
    OutputFile file;
    file.size = bytes.size();
    file.addLiteral(0, {bytes.begin(), bytes.end()});
    return file;
}

/// Whether all weights are from safetensors files, which leave further names of a tensor out, and
/// nothing is beside them.
bool areOfSafetensors(const LayoutRequest& request, std::span<const LayoutTensor> weights,
                      const Value& value) {
    const auto isOf = [&](const LayoutTensor& tensor) {
        const auto& pieces = request.source->tensor(tensor.source).pieces;
        return !pieces.empty() && std::ranges::all_of(pieces, [&](const Piece& piece) {
            return request.source->files()[piece.file.position()].path.ends_with(".safetensors");
        });
    };
    return request.source != nullptr && !weights.empty() && std::ranges::all_of(weights, isOf) &&
           std::ranges::all_of(value.items(),
                               [](const auto& item) { return item.value.asTensor() != nullptr; });
}

/// accelerate loads names that are missing in model.safetensors as those that the model ties, and
/// refuses a pytorch_model.bin without them.
Result<std::optional<OutputFile>> safetensorsOf(const LayoutRequest& request,
                                                const PartOfRequest& part, const Value& value) {
    const std::vector<LayoutTensor> weights = part.tensorsOf(value);
    if (!areOfSafetensors(request, weights, value)) {
        return std::nullopt;
    }
    LayoutRequest inner = request;
    inner.tensors = weights;
    inner.values = nullptr;
    inner.maxShardBytes = 0;
    inner.fileOf = {};
    CAIRN_TRY(OutputLayout layout, findFormat("safetensors")->layout(inner));
    layout.files.front().name = "model.safetensors";
    return std::move(layout.files.front());
}

Error noValues() {
    return fail(ErrorCode::Unsupported,
                "A training state cannot be written without its plain values");
}

Result<OutputLayout> layOutStateFolder(const LayoutRequest& request) {
    if (request.values == nullptr) {
        return noValues();
    }
    const PartOfRequest part(request);
    OutputLayout layout;
    layout.folder = true;
    const bool ofTrainer = request.values->find("trainer_state") != nullptr;
    std::optional<OutputFile> weights;
    for (const ValueItem& item : request.values->items()) {
        const std::string stem = keyText(item.key);
        const bool isWeights = stem == kWeightsStem;
        if (isWeights && !ofTrainer) {
            CAIRN_TRY(weights, safetensorsOf(request, part, item.value));
            if (weights) {
                continue;
            }
        }
        CAIRN_TRY(OutputFile file,
                  isDocument(stem) ? documentFile(item.value, stem) : archiveOf(part, item.value));
        file.name = stem + (isDocument(stem) ? ".json" : ofTrainer && !isWeights ? ".pt" : ".bin");
        if (isWeights) {
            weights = std::move(file);
        } else {
            layout.files.push_back(std::move(file));
        }
    }
    if (weights) {
        layout.files.push_back(std::move(*weights));
    }
    return layout;
}

Result<OutputLayout> layOutUniversal(const LayoutRequest& request) {
    if (request.values == nullptr) {
        return noValues();
    }
    const PartOfRequest part(request);
    OutputLayout layout;
    layout.folder = true;
    for (const ValueItem& item : request.values->items()) {
        OutputFile file;
        if (const std::string* text = item.value.asString()) {
            const auto bytes = asBytes(*text);
            file.size = bytes.size();
            file.addLiteral(0, {bytes.begin(), bytes.end()});
        } else {
            CAIRN_TRY(file, archiveOf(part, item.value));
        }
        file.name = keyText(item.key) + (item.value.asString() != nullptr ? "" : ".pt");
        layout.files.push_back(std::move(file));
    }
    return layout;
}

Result<OutputLayout> layOutLightningFolder(const LayoutRequest& request) {
    if (request.values == nullptr) {
        return noValues();
    }
    std::vector<ValueItem> sharded;
    std::vector<ValueItem> rest;
    for (const ValueItem& item : request.values->items()) {
        (isShardedKey(keyText(item.key)) ? sharded : rest).push_back(item);
    }
    const PartOfRequest part(request);
    CAIRN_TRY(OutputFile meta, archiveOf(part, Value::dict(std::move(rest))));
    meta.name = "meta.pt";
    const Value values = Value::dict(std::move(sharded));
    const std::vector<LayoutTensor> tensors = part.tensorsOf(values);
    LayoutRequest inner = request;
    inner.tensors = tensors;
    inner.values = &values;
    CAIRN_TRY(OutputLayout layout, findFormat("dcp")->layout(inner));
    std::vector<OutputFile> first;
    first.push_back(std::move(meta));
    insertFirst(layout, std::move(first));
    return layout;
}

OutputFile textFile(std::string name, std::string_view text) {
    OutputFile file;
    file.name = std::move(name);
    const auto bytes = asBytes(text);
    file.size = bytes.size();
    file.addLiteral(0, {bytes.begin(), bytes.end()});
    return file;
}

/// common.pt comes first and the tracker last: megatron-core looks for metadata.json, and the
/// trainer for the tracker.
Result<OutputLayout> layOutMegatron(const LayoutRequest& request) {
    const Value* common =
        request.values != nullptr ? request.values->find(kMegatronCommon) : nullptr;
    const Value* sharded =
        request.values != nullptr ? request.values->find(kMegatronSharded) : nullptr;
    const Value* iteration = common != nullptr ? common->find("iteration") : nullptr;
    if (sharded == nullptr || iteration == nullptr || iteration->asInt() == nullptr) {
        return noValues();
    }
    const PartOfRequest part(request);
    const std::vector<LayoutTensor> tensors = part.tensorsOf(*sharded);
    LayoutRequest inner = request;
    inner.tensors = tensors;
    inner.values = sharded;
    CAIRN_TRY(OutputLayout layout, findFormat("dcp")->layout(inner));
    formats::ValuePickler pickler({}, formats::ValuePickler::Objects::Namespaces);
    CAIRN_TRY(std::vector<std::byte> pickle, pickler.write(common));
    CAIRN_TRY(OutputFile values, formats::layOutTorchArchive({}, std::move(pickle)));
    values.name = "common.pt";
    std::vector<OutputFile> first;
    first.push_back(std::move(values));
    insertFirst(layout, std::move(first));
    layout.files.push_back(textFile(
        "metadata.json", R"({"sharded_backend": "torch_dist", "sharded_backend_version": 1, )"
                         R"("common_backend": "torch", "common_backend_version": 1})"));
    const std::string folder = folderOfIteration(*iteration->asInt());
    for (OutputFile& file : layout.files) {
        file.name = folder + "/" + file.name;
    }
    layout.files.push_back(
        textFile("latest_checkpointed_iteration.txt", std::to_string(*iteration->asInt())));
    return layout;
}

/// The handler of an item in orbax.checkpoint._src.handlers.
std::string handlerName(bool isTree) {
    const std::string handlers = "orbax.checkpoint._src.handlers.";
    return handlers + (isTree ? "standard_checkpoint_handler.StandardCheckpointHandler"
                              : "json_checkpoint_handler.JsonCheckpointHandler");
}

/// The tree of an item, with the names of the complete step.
Result<void> addTreeOfItem(const LayoutRequest& request, const std::vector<LayoutTensor>& inside,
                           const ValueItem& item, OutputLayout& layout) {
    const std::string name = keyText(item.key);
    std::vector<LayoutTensor> tensors = inside;
    std::unordered_map<std::uint32_t, std::string_view> names;
    for (LayoutTensor& tensor : tensors) {
        names.emplace(tensor.source.value, tensor.name);
        tensor.name.remove_prefix(std::min(name.size() + 1, tensor.name.size()));
    }
    LayoutRequest inner = request;
    inner.tensors = tensors;
    inner.values = &item.value;
    CAIRN_TRY(OutputLayout made, findFormat("orbax")->layout(inner));
    for (OutputFile& file : made.files) {
        file.name = name + "/" + file.name;
        for (TensorSegment& segment : file.tensors) {
            segment.name = names.at(segment.source.value);
        }
        layout.files.push_back(std::move(file));
    }
    return {};
}

Result<OutputLayout> layOutOrbaxStep(const LayoutRequest& request) {
    if (request.values == nullptr) {
        return noValues();
    }
    constexpr std::string_view kMetrics = "metrics"; // the one JSON file that is named so
    constexpr std::string_view kCustom = "custom_metadata";
    const PartOfRequest part(request);
    nlohmann::ordered_json handlers = nlohmann::ordered_json::object();
    nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
    nlohmann::ordered_json custom = nlohmann::ordered_json::object();
    OutputLayout layout;
    layout.folder = true;
    for (const ValueItem& item : request.values->items()) {
        const std::string name = keyText(item.key);
        const std::vector<LayoutTensor> inside = part.tensorsOf(item.value);
        if (inside.empty() && name == kCustom) {
            CAIRN_TRY(custom, documentOf(item.value, name));
            continue;
        }
        if (!isValidUtf8(name)) {
            return fail(ErrorCode::NameNotRepresentable, "An item's name is not UTF-8")
                .inField(name);
        }
        const bool isTree = !inside.empty() || (request.source != nullptr &&
                                                hasTreeOfOrbax(*request.source, name + "/"));
        handlers[name] = handlerName(isTree);
        if (isTree) {
            CAIRN_CHECK(addTreeOfItem(request, inside, item, layout));
            continue;
        }
        CAIRN_TRY(OutputFile file, documentFile(item.value, name));
        file.name = name + "/" + std::string(name == kMetrics ? kMetrics : "metadata");
        layout.files.push_back(std::move(file));
        if (name == kMetrics) {
            CAIRN_TRY(metrics, documentOf(item.value, name));
        }
    }
    // Without times, so that the same state gives the same bytes.
    nlohmann::ordered_json step;
    step["item_handlers"] = std::move(handlers);
    step["metrics"] = std::move(metrics);
    step["performance_metrics"] = nlohmann::ordered_json::object();
    step["custom_metadata"] = std::move(custom);
    std::string text;
    appendJson(text, step, std::nullopt);
    const auto bytes = asBytes(text);
    OutputFile file;
    file.name = "_CHECKPOINT_METADATA";
    file.size = bytes.size();
    file.addLiteral(0, {bytes.begin(), bytes.end()});
    layout.files.push_back(std::move(file));
    return layout;
}

} // namespace

bool isShardedKey(std::string_view key) {
    constexpr std::string_view kOptimizer = "optimizer_";
    if (key == "model" || key == "state_dict") {
        return true;
    }
    return key.size() > kOptimizer.size() && key.starts_with(kOptimizer) &&
           std::ranges::all_of(key.substr(kOptimizer.size()), isDigit);
}

TrainerLayout layoutOf(const Trainer& trainer) {
    if (trainer.id == "lightning-fsdp") {
        return layOutLightningFolder;
    }
    if (trainer.id == "deepspeed") {
        return layOutUniversal;
    }
    if (trainer.id == "orbax") {
        return layOutOrbaxStep;
    }
    if (trainer.id == "megatron") {
        return layOutMegatron;
    }
    return trainer.isFolder ? layOutStateFolder : nullptr;
}

} // namespace cairn
