// SPDX-License-Identifier: Apache-2.0
#include "core/families/names/keras_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

using NameParts = std::vector<std::string>;

constexpr std::string_view kDevice = ":0";
constexpr std::string_view kTopLevel = "top_level_model_weights"; ///< a layer of no name

NameParts splitParts(std::string_view name) {
    NameParts parts;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('/'), name.size());
        if (end > 0) {
            parts.emplace_back(name.substr(0, end));
        }
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return parts;
}

/// In one file, Keras puts the layer's name and the model's in front, which the files of several
/// parts lack: "transformer/tfgpt2lm_head_model/transformer/wte/embeddings:0".
bool hasLayers(std::span<const NameParts> names) {
    return std::ranges::all_of(names, [&](const NameParts& parts) {
        return parts.size() > 2 && parts[1] == names.front()[1] &&
               (parts[0] == parts[2] || parts[0] == kTopLevel);
    });
}

/// "a___b" is b, and "h_._0" is h.0.
NameParts levels(std::span<const std::string> parts) {
    NameParts made;
    for (std::string part : parts) {
        if (const std::size_t at = part.rfind("___"); at != part.npos) {
            part.erase(0, at + 3);
        }
        constexpr std::string_view kLevel = "_._";
        for (std::size_t at = part.find(kLevel); at != part.npos; at = part.find(kLevel)) {
            made.push_back(part.substr(0, at));
            part.erase(0, at + kLevel.size());
        }
        made.push_back(std::move(part));
    }
    std::erase(made, "");
    return made;
}

/// The dimensions of a layer's kernel in the published order: [in, out], [width, in, out],
/// [height, width, in, out].
constexpr std::array<std::string_view, 5> kOfKernels = {"", "", "swap 0 1", "swap 0 2",
                                                        "swap 0 3; swap 1 2; swap 2 3"};

/// Nothing for the layers that transformers treats in a way of their own.
std::optional<KerasName> publishedName(std::span<const std::string> parts, std::size_t rank) {
    NameParts made = levels(parts);
    if (made.empty() || made.back().ends_with("_kernel") || // of separable convolutions
        std::ranges::find(made, "emb_projs") != made.end() ||
        std::ranges::find(made, "out_projs") != made.end()) {
        return std::nullopt;
    }
    KerasName name;
    std::string& last = made.back();
    if (last == "kernel") {
        if (rank >= kOfKernels.size()) {
            return std::nullopt;
        }
        name.operations = kOfKernels.at(rank);
    }
    if (last == "kernel" || last == "embeddings" || last == "gamma") {
        last = "weight";
    } else if (last == "beta") {
        last = "bias";
    }
    for (const std::string& part : made) {
        name.published += (name.published.empty() ? "" : ".") + part;
    }
    return name;
}

} // namespace

bool isKerasVariable(std::string_view name) {
    return name.ends_with(kDevice) && name.find('/') != name.npos;
}

std::vector<KerasName> publishedKerasNames(std::span<const std::string_view> names,
                                           std::span<const std::size_t> ranks) {
    std::vector<NameParts> stored;
    for (const std::string_view name : names) {
        if (!name.ends_with(kDevice)) {
            return {};
        }
        stored.push_back(splitParts(name.substr(0, name.size() - kDevice.size())));
    }
    if (std::ranges::none_of(names, isKerasVariable)) {
        return {};
    }
    const std::size_t skipped = hasLayers(stored) ? 2 : 0;
    std::vector<KerasName> made;
    for (std::size_t i = 0; i < stored.size(); ++i) {
        auto name = publishedName(std::span(stored[i]).subspan(skipped), ranks[i]);
        if (!name) {
            return {};
        }
        made.push_back(std::move(*name));
    }
    return made;
}

} // namespace cairn
