// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/stage_layers.h"

#include "core/formats/megatron/parameter_names.h"

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::formats::megatron {
namespace {

/// Number of layers in each stage, by stack; empty: unknown.
using LayerCounts = std::map<std::string, std::vector<std::optional<std::uint64_t>>, std::less<>>;

/// The numbers of a file's layers, by stack and virtual stage.
using LayerNumbers = std::map<std::pair<std::string, std::uint32_t>, std::set<std::uint64_t>>;

LayerNumbers layersIn(const RankFile& file, std::uint32_t chunks) {
    LayerNumbers layers;
    for (const TensorEntry& tensor : file.member.tensors) {
        const auto model = nameInModel(tensor.name);
        const auto layer = model ? layerNumber(model->name) : std::nullopt;
        if (layer && model->chunk < chunks) {
            layers[{std::string(layer->before), model->chunk}].insert(layer->number);
        }
    }
    return layers;
}

/// Stages whose files exist but do not mention a stack have no layers of it.
void addEmptyStages(const RankPlaces& places, LayerCounts& stacks) {
    for (auto& [name, counts] : stacks) {
        for (std::uint32_t pp = 0; pp < places.layout.pipeline; ++pp) {
            const bool exists = places.ofStage(pp) != nullptr;
            for (std::uint32_t chunk = 0; exists && chunk < places.layout.chunks; ++chunk) {
                auto& count = counts[places.stageOf(pp, chunk)];
                count = count.value_or(0);
            }
        }
    }
}

bool isMain(const std::string& stack) {
    return stack.find("mtp.") == std::string::npos;
}

void noteNotCounted(RankSet& ranks, const Layout& layout, const std::string& stack,
                    Sentence found) {
    ranks.noteNotMerged(
        fail(ErrorCode::ShardsNotJoined, "The pipeline stages cannot be merged")
            .inField(stack)
            .butFound(std::move(found))
            .expecting(layout.layers ? sentence("num_layers: %1", *layout.layers) : "")
            .withHint("The tensors are shown per rank, as stored"));
}

} // namespace

std::optional<FirstLayers> countLayers(const RankPlaces& places, RankSet& ranks) {
    const Layout& layout = places.layout;
    LayerCounts stacks;
    for (std::uint32_t pp = 0; pp < layout.pipeline; ++pp) {
        const RankFile* file = places.ofStage(pp);
        for (const auto& [key, numbers] :
             file == nullptr ? LayerNumbers() : layersIn(*file, layout.chunks)) {
            const auto& [stack, chunk] = key;
            if (*numbers.rbegin() != numbers.size() - 1) {
                noteNotCounted(ranks, layout, stack, "layers that are not numbered from 0");
                return std::nullopt;
            }
            auto& counts = stacks[stack];
            counts.resize(static_cast<std::size_t>(layout.stages()), std::nullopt);
            counts[places.stageOf(pp, chunk)] = numbers.size();
        }
    }
    addEmptyStages(places, stacks);
    const bool one =
        std::ranges::count_if(stacks, [](const auto& stack) { return isMain(stack.first); }) == 1;
    FirstLayers all;
    for (const auto& [stack, counts] : stacks) {
        auto first = firstLayers(counts, one && isMain(stack) ? layout.layers : std::nullopt);
        if (!first) {
            noteNotCounted(ranks, layout, stack, "layer counts that do not add up");
            return std::nullopt;
        }
        all.emplace(stack, std::move(*first));
    }
    return all;
}

std::optional<std::vector<std::uint64_t>>
firstLayers(std::span<const std::optional<std::uint64_t>> counts,
            std::optional<std::int64_t> layers) {
    const bool whole =
        std::ranges::all_of(counts, [](const auto& count) { return count.has_value(); });
    const std::uint64_t recorded =
        layers ? static_cast<std::uint64_t>(std::max<std::int64_t>(*layers, 0)) : 0;
    const std::uint64_t even = counts.empty() ? 0 : recorded / counts.size();
    std::vector<std::uint64_t> first;
    std::uint64_t sum = 0;
    for (const auto& count : counts) {
        if (!whole && (!layers || recorded % counts.size() != 0 || count.value_or(even) != even)) {
            return std::nullopt;
        }
        first.push_back(sum);
        sum += count.value_or(even);
    }
    return !layers || sum == recorded ? std::optional(std::move(first)) : std::nullopt;
}

} // namespace cairn::formats::megatron
