// SPDX-License-Identifier: Apache-2.0
#include "core/families/slices/slice_names.h"

#include "core/families/config/model_part.h"

#include <system_error>

#include <algorithm>
#include <charconv>

namespace cairn {
namespace {

constexpr std::string_view kRankPrefix = "rank_";

/// Sources: README.md. One name a layer, whatever the class.
// clang-format off
constexpr auto kContiguous = std::to_array<std::string_view>({
    "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "q_b_proj",
    "kv_b_proj", "embed_tokens", "lm_head", "out_proj", "fc1", "fc2", "fc_in", "fc_out", "c_fc",
    "c_proj", "dense", "embed_in", "embed_out", "dense_h_to_4h", "dense_4h_to_h", "wte", "w1",
    "w2", "w3", "wq", "wk", "wv", "wo", "tok_embeddings", "output",
});
// clang-format on

constexpr auto kFused = std::to_array<FusedLayer>({
    {"qkv_proj", {"q_proj", "k_proj", "v_proj"}},
    {"gate_up_proj", {"gate_proj", "up_proj", ""}},
});

/// Names of gate_proj and up_proj, and of down_proj, in the classes.
constexpr auto kExperts = std::to_array<ExpertLayer>({
    {"w13_weight", {{{"gate_proj", "up_proj"}, {"w1", "w3"}}}},
    {"w2_weight", {{{"down_proj", ""}, {"w2", ""}}}},
});

std::string_view layerOf(std::string_view name) {
    const std::string_view module = moduleOf(name);
    const std::size_t dot = module.rfind('.');
    return dot == std::string_view::npos ? module : module.substr(dot + 1);
}

} // namespace

std::optional<RankTensorName> splitRankTensor(std::string_view name) {
    RankTensorName made;
    if (!name.starts_with(kRankPrefix)) {
        return std::nullopt;
    }
    name.remove_prefix(kRankPrefix.size());
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), made.rank);
    const auto digits = static_cast<std::size_t>(end - name.data());
    if (error != std::errc() || digits == name.size() || name[digits] != '.') {
        return std::nullopt;
    }
    made.name = name.substr(digits + 1);
    return made;
}

std::string_view moduleOf(std::string_view name) {
    return name.substr(0, std::min(name.rfind('.'), name.size()));
}

bool isContiguous(std::string_view name) {
    return std::ranges::find(kContiguous, layerOf(name)) != kContiguous.end();
}

bool mayBePadded(std::string_view name) {
    const ModelPart part = modelPart(name);
    return part == ModelPart::Embedding || part == ModelPart::Head;
}

const FusedLayer* fusedLayer(std::string_view name) {
    const auto found = std::ranges::find(kFused, layerOf(name), &FusedLayer::name);
    return found == kFused.end() ? nullptr : &*found;
}

const ExpertLayer* expertLayer(std::string_view name) {
    if (!moduleOf(name).ends_with(".experts")) {
        return nullptr;
    }
    const std::string_view own = name.substr(moduleOf(name).size() + 1);
    const auto found = std::ranges::find(kExperts, own, &ExpertLayer::name);
    return found == kExperts.end() ? nullptr : &*found;
}

bool hasSharedHeads(std::string_view name) {
    const std::string_view layer = layerOf(name);
    return layer == "k_proj" || layer == "v_proj";
}

} // namespace cairn
