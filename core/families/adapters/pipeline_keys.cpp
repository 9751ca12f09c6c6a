// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/pipeline_keys.h"

#include "core/model/names/tokens.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using enum PipelinePart;

constexpr std::array<std::string_view, 6> kComponents = {
    "unet", "transformer", "transformer_2", "text_encoder", "text_encoder_2", "text_encoder_3"};

struct FlatStart {
    std::string_view start;
    std::string_view component;
};
constexpr FlatStart kFlatStarts[] = {{"lora_unet_", "unet"},
                                     {"lora_te_", "text_encoder"},
                                     {"lora_te1_", "text_encoder"},
                                     {"lora_te2_", "text_encoder_2"}};

struct PartEnding {
    std::string_view ending;
    PipelinePart part;
};
constexpr PartEnding kFlatParts[] = {
    {"lora_down.weight", A}, {"lora_up.weight", B}, {"alpha", Alpha}};
constexpr PartEnding kParts[] = {{".lora_A.weight", A},
                                 {".lora_B.weight", B},
                                 {".lora_B.bias", Bias},
                                 {".lora_magnitude_vector", Magnitude},
                                 {".lora_magnitude_vector.weight", Magnitude},
                                 {".lora.down.weight", A},
                                 {".lora.up.weight", B},
                                 {".lora_linear_layer.down.weight", A},
                                 {".lora_linear_layer.up.weight", B},
                                 {"_lora.down.weight", A}, // of to_q, to_k, to_v and to_out only
                                 {"_lora.up.weight", B},
                                 {".alpha", Alpha}};

/// Projections of attention under their names in the older files of diffusers.
struct Projection {
    std::string_view old;
    std::string_view inUnet;
    std::string_view inText;
};
constexpr Projection kProjections[] = {{".to_q", ".to_q", ".q_proj"},
                                       {".to_k", ".to_k", ".k_proj"},
                                       {".to_v", ".to_v", ".v_proj"},
                                       {".to_out", ".to_out.0", ".out_proj"}};

std::string withoutProcessors(std::string name) {
    constexpr std::string_view kWord = ".processor.";
    for (std::size_t at = name.find(kWord); at != name.npos; at = name.find(kWord)) {
        name.erase(at, kWord.size() - 1);
    }
    return name;
}

/// False: no projection of that name.
bool renameProjection(PipelineKey& key) {
    const bool text = key.component.starts_with("text_encoder");
    for (const Projection& each : kProjections) {
        if (key.module.ends_with(each.old)) {
            key.module.resize(key.module.size() - each.old.size());
            key.module += text ? each.inText : each.inUnet;
            return true;
        }
    }
    return false;
}

std::optional<PipelineKey> flatKey(std::string_view name) {
    const auto* start = std::ranges::find_if(
        kFlatStarts, [&](const FlatStart& each) { return name.starts_with(each.start); });
    const std::size_t dot = name.find('.');
    if (start == std::end(kFlatStarts) || dot == name.npos) {
        return std::nullopt;
    }
    PipelineKey key;
    key.component = start->component;
    key.flat = true;
    key.stem = name.substr(0, dot);
    key.module = key.stem.substr(start->start.size());
    const auto* part = std::ranges::find(kFlatParts, name.substr(dot + 1), &PartEnding::ending);
    key.part = part == std::end(kFlatParts) ? Unknown : part->part;
    return key;
}

/// "2_0_proj_in" → 2, "0_proj_in"; nothing: it does not begin with a number.
std::optional<std::pair<std::int64_t, std::string_view>> leadingNumber(std::string_view text) {
    const std::size_t end = text.find('_');
    const auto number = names::decimal(text.substr(0, end));
    return number && end != text.npos ? std::optional(std::pair(*number, text.substr(end + 1)))
                                      : std::nullopt;
}

/// The layers of a residual block, and of what changes the resolution.
std::string layerOf(std::string_view kind, std::string_view rest) {
    constexpr std::pair<std::string_view, std::string_view> kResnet[] = {
        {"in_layers_2", "conv1"},
        {"out_layers_3", "conv2"},
        {"emb_layers_1", "time_emb_proj"},
        {"skip_connection", "conv_shortcut"}};
    if (kind == "resnets") {
        for (const auto& [theirs, own] : kResnet) {
            if (rest == theirs) {
                return std::string(own);
            }
        }
    }
    return kind == "downsamplers" && rest == "op" ? "conv" : std::string(rest);
}

} // namespace

std::optional<PipelineKey> pipelineKey(std::string_view name) {
    if (auto flat = flatKey(name)) {
        return flat;
    }
    const std::size_t dot = name.find('.');
    if (dot == name.npos ||
        std::ranges::find(kComponents, name.substr(0, dot)) == kComponents.end()) {
        return std::nullopt;
    }
    PipelineKey key;
    key.component = name.substr(0, dot);
    const std::string inside = withoutProcessors(std::string(name.substr(dot)));
    for (const PartEnding& each : kParts) {
        if (!inside.ends_with(each.ending) || inside.size() == each.ending.size()) {
            continue;
        }
        key.part = each.part;
        key.module = inside.substr(0, inside.size() - each.ending.size());
        const bool old = each.ending.starts_with('_') ||
                         (each.part == Magnitude && key.module.ends_with(".to_out"));
        if (old && !renameProjection(key)) {
            key.part = Unknown;
        }
        break;
    }
    if (!key.module.empty()) {
        key.module.erase(0, 1); // the dot
    }
    key.stem = key.component + "." + key.module;
    return key;
}

std::optional<std::string> flatNameOfDiffusers(std::string_view flat, std::int64_t resnets) {
    constexpr std::pair<std::string_view, std::string_view> kWhole[] = {
        {"input_blocks_0_0", "conv_in"},
        {"out_2", "conv_out"},
        {"time_embed_0", "time_embedding_linear_1"},
        {"time_embed_2", "time_embedding_linear_2"},
        {"label_emb_0_0", "add_embedding_linear_1"},
        {"label_emb_0_2", "add_embedding_linear_2"}};
    constexpr std::array<std::string_view, 3> kKinds = {"resnets", "attentions", "upsamplers"};
    for (const auto& [theirs, own] : kWhole) {
        if (flat == theirs) {
            return std::string(own);
        }
    }
    const auto after = [&](std::string_view start) {
        return flat.starts_with(start) ? leadingNumber(flat.substr(start.size())) : std::nullopt;
    };
    if (const auto middle = after("middle_block_"); middle && middle->first <= 2) {
        const std::string_view kind = kKinds[middle->first == 1 ? 1 : 0];
        return "mid_block_" + std::string(kind) + (middle->first == 2 ? "_1_" : "_0_") +
               layerOf(kind, middle->second);
    }
    const auto input = after("input_blocks_");
    const auto output = after("output_blocks_");
    const auto& block = input ? input : output;
    const auto inner = block ? leadingNumber(block->second) : std::nullopt;
    const std::int64_t at = block ? block->first - (input ? 1 : 0) : -1;
    if (!inner || inner->first > 2 || at < 0 || resnets < 1) {
        return std::nullopt;
    }
    const bool down = input && inner->second == "op";
    const std::string_view kind =
        down ? "downsamplers" : kKinds[static_cast<std::size_t>(inner->first)];
    const bool numbered = !down && inner->first < 2;
    const std::int64_t layers = resnets + 1; // down, and one more up
    return std::string(input ? "down_blocks_" : "up_blocks_") + std::to_string(at / layers) + "_" +
           std::string(kind) + "_" + std::to_string(numbered ? at % layers : 0) + "_" +
           layerOf(kind, inner->second);
}

} // namespace cairn
