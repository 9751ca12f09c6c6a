// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/parameter_names.h"

#include <charconv>

namespace cairn::formats::megatron {
namespace {

std::optional<NumberInName> numberAfter(std::string_view name, std::string_view word) {
    const std::size_t at = name.find(word);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    NumberInName place;
    place.at = at + word.size();
    const auto [end, error] =
        std::from_chars(name.data() + place.at, name.data() + name.size(), place.number);
    place.length = static_cast<std::size_t>(end - name.data()) - place.at;
    place.before = name.substr(0, place.at);
    const bool stands = place.at + place.length == name.size() || *end == '.';
    return error == std::errc() && stands ? std::optional(place) : std::nullopt;
}

} // namespace

std::optional<NameInModel> nameInModel(std::string_view name) {
    constexpr std::string_view kModel = "model";
    if (!name.starts_with(kModel)) {
        return std::nullopt;
    }
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos) {
        return std::nullopt;
    }
    std::uint32_t chunk = 0;
    const std::string_view digits = name.substr(kModel.size(), dot - kModel.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), chunk);
    const bool whole =
        digits.empty() || (error == std::errc() && end == digits.data() + digits.size());
    return whole ? std::optional(NameInModel{chunk, name.substr(dot + 1)}) : std::nullopt;
}

std::optional<NumberInName> layerNumber(std::string_view name) {
    if (name.starts_with("layers.")) {
        return numberAfter(name, "layers.");
    }
    return numberAfter(name, ".layers.");
}

std::optional<NumberInName> expertNumber(std::string_view name) {
    if (auto local = numberAfter(name, ".local_experts.")) {
        return local;
    }
    for (const std::string_view word : {".experts.linear_fc1.weight", ".experts.linear_fc2.weight",
                                        ".experts.linear_fc1.bias", ".experts.linear_fc2.bias"}) {
        if (auto grouped = numberAfter(name, word)) {
            return grouped;
        }
    }
    return std::nullopt;
}

std::string withNumber(std::string_view name, const NumberInName& place, std::uint64_t number) {
    return std::string(name.substr(0, place.at)) + std::to_string(number) +
           std::string(name.substr(place.at + place.length));
}

} // namespace cairn::formats::megatron
