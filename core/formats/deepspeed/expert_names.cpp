// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/expert_names.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <string_view>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::string_view kWord = "deepspeed_experts.";

struct ExpertName {
    std::string_view before; ///< including the word
    std::uint64_t number = 0;
    std::string_view after;
};

std::optional<ExpertName> split(std::string_view name) {
    const std::size_t word = name.find(kWord);
    if (word == std::string_view::npos) {
        return std::nullopt;
    }
    ExpertName parts{name.substr(0, word + kWord.size()), 0, {}};
    const std::string_view rest = name.substr(parts.before.size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), parts.number);
    parts.after = rest.substr(static_cast<std::size_t>(end - rest.data()));
    const bool valid = error == std::errc() && parts.number < 1'000'000;
    return valid ? std::optional(parts) : std::nullopt;
}

} // namespace

std::vector<Parameter> withGlobalExperts(std::vector<Parameter> parameters, std::uint64_t rank) {
    std::map<std::string, std::uint64_t, std::less<>>
        counts; // number of experts on one rank, by layer
    for (const Parameter& parameter : parameters) {
        if (const auto name = split(parameter.name)) {
            auto& count = counts[std::string(name->before)];
            count = std::max(count, name->number + 1);
        }
    }
    for (Parameter& parameter : parameters) {
        if (const auto name = split(parameter.name)) {
            const std::uint64_t number = name->number + rank * counts.find(name->before)->second;
            parameter.name =
                std::string(name->before) + std::to_string(number) + std::string(name->after);
        }
    }
    return parameters;
}

std::vector<std::vector<Parameter>> expertsByRank(std::span<const Parameter> all,
                                                  std::uint64_t ranks) {
    using Expert = std::vector<const Parameter*>;
    std::vector<std::map<std::uint64_t, Expert>> layers; // keyed by the experts' numbers
    std::map<std::string_view, std::size_t> places;      // keyed by the prefixes of their names
    for (const Parameter& parameter : all) {
        const auto name = split(parameter.name);
        if (!name) {
            return {};
        }
        const auto [place, isNew] = places.try_emplace(name->before, layers.size());
        if (isNew) {
            layers.emplace_back();
        }
        layers[place->second][name->number].push_back(&parameter);
    }
    const bool divides =
        ranks > 0 && !layers.empty() && std::ranges::all_of(layers, [&](const auto& experts) {
            return experts.size() % ranks == 0 && experts.rbegin()->first + 1 == experts.size();
        });
    if (!divides) {
        return {};
    }
    std::vector<std::vector<Parameter>> parts(static_cast<std::size_t>(ranks));
    for (const auto& experts : layers) {
        for (const auto& [number, parameters] : experts) {
            auto& part = parts[static_cast<std::size_t>(number / (experts.size() / ranks))];
            std::ranges::transform(parameters, std::back_inserter(part),
                                   [](const Parameter* parameter) { return *parameter; });
        }
    }
    return parts;
}

} // namespace cairn::formats::deepspeed
