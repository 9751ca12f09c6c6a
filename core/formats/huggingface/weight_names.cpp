// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/weight_names.h"

#include "core/model/names/role_words.h"
#include "core/model/names/shard_name.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>
#include <span>

namespace cairn::formats::huggingface {
namespace {

constexpr auto kPrecisions = std::to_array<std::string_view>(
    {"fp32", "fp16", "bf16", "fp8", "f32", "f16", "float32", "float16", "bfloat16", "half", "int8",
     "int4", "8bit", "4bit"});

bool isOneOf(std::span<const std::string_view> words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

} // namespace

std::string stemOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
}

std::string_view extensionOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

bool isPickleName(std::string_view name) {
    const std::string_view extension = extensionOf(name);
    return extension == ".pt" || extension == ".pth" || extension == ".bin" || extension == ".pkl";
}

bool isIndexName(std::string_view name) {
    constexpr auto kParts = std::to_array<std::string_view>(
        {".safetensors.index.", ".bin.index.", ".msgpack.index.", ".h5.index."});
    return name.ends_with(".json") && std::ranges::any_of(kParts, [name](std::string_view part) {
               return name.find(part) != std::string_view::npos;
           });
}

bool isAverageStem(std::string_view stem) {
    const std::string_view word = stem.substr(stem.rfind('.') + 1);
    return names::roleOfKey(word) == Role::Ema || names::isAverageKey(word);
}

bool isModelName(std::string_view name) {
    return isOneOf(kModelStems, name.substr(0, name.find('.')));
}

bool isAdapterName(std::string_view name) {
    return isOneOf(kAdapterStems, name.substr(0, name.find('.')));
}

bool looksLikeWeights(std::string_view name) {
    const auto parts = splitShardName(name);
    const std::string_view extension = extensionOf(name);
    if (extension == ".safetensors" || name.ends_with(".h5") || name.ends_with(".msgpack")) {
        return true;
    }
    const std::string_view stem = name.substr(0, name.find('.'));
    const bool whole = isOneOf(kModelStems, stem) || isOneOf(kAdapterStems, stem);
    if (extension != ".bin" && extension != ".pth") {
        return extension == ".pt" && whole;
    }
    return whole || parts.has_value() || stem == "consolidated" || stem == "pytorch_model_fsdp";
}

WeightName weightNameOf(std::string_view name) {
    const std::string stem = stemOf(name);
    if (isAverageStem(stem)) {
        return WeightName::Average;
    }
    std::string_view base = std::string_view(stem).substr(0, stem.find('.'));
    const std::string_view variant = std::string_view(stem).substr(base.size());
    if (const std::size_t cut = base.find_last_of("-_"); cut != std::string_view::npos) {
        base = isOneOf(kPrecisions, base.substr(cut + 1)) ? base.substr(0, cut) : base;
    }
    const bool whole = isOneOf(kModelStems, base) || isOneOf(kAdapterStems, base) ||
                       base.starts_with("consolidated") || base.starts_with("pytorch_model_fsdp");
    if (!whole) {
        return WeightName::Own;
    }
    return variant.empty() || isOneOf(kPrecisions, variant.substr(1)) ? WeightName::Same
                                                                      : WeightName::Variant;
}

} // namespace cairn::formats::huggingface
