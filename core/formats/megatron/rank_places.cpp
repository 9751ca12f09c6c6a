// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/rank_places.h"

#include <algorithm>

namespace cairn::formats::megatron {
namespace {

constexpr std::size_t kMostNamed = 100; ///< missing files that are listed

Sentence describeLayout(const Layout& layout) {
    return sentence("%1 tensor, %2 pipeline and %3 expert parallel ranks", layout.tensor,
                    layout.pipeline, layout.expert);
}

std::optional<Place> placeOf(const RankFolder& folder, const Layout& layout) {
    Place place{folder.tp, 0, 0};
    std::size_t used = 0;
    const auto take = [&](std::uint32_t ranks, std::uint32_t& into) {
        if (ranks > 1 && used < folder.rest.size()) {
            into = folder.rest[used++];
            return into < ranks;
        }
        return ranks == 1;
    };
    const bool known = take(layout.pipeline, place.pp) && take(layout.expert, place.ep);
    const bool rest = std::all_of(folder.rest.begin() + static_cast<std::ptrdiff_t>(used),
                                  folder.rest.end(), [](std::uint32_t n) { return n == 0; });
    return known && rest && place.tp < layout.tensor ? std::optional(place) : std::nullopt;
}

std::int64_t worldSize(const Value& args, const Layout& layout) {
    const Value* world = args.find("world_size");
    return world != nullptr && world->asInt() != nullptr
               ? *world->asInt()
               : static_cast<std::int64_t>(layout.ranks());
}

void noteMissingRanks(RankSet& ranks, const RankPlaces& places) {
    const Layout& layout = places.layout;
    std::size_t named = 0;
    for (std::uint32_t pp = 0; pp < layout.pipeline && named < kMostNamed; ++pp) {
        for (std::uint32_t ep = 0; ep < layout.expert && named < kMostNamed; ++ep) {
            for (std::uint32_t tp = 0; tp < layout.tensor && named < kMostNamed; ++tp) {
                const std::string name =
                    rankFolderName(tp, layout.pipeline > 1 ? std::optional(pp) : std::nullopt,
                                   layout.expert > 1 ? std::optional(ep) : std::nullopt);
                const auto& listed = ranks.folders();
                if (!places.files.contains({tp, pp, ep}) &&
                    std::ranges::find(listed, name, &RankFolder::name) == listed.end()) {
                    ranks.noteMissing(name, sentence("args specify %1", describeLayout(layout)));
                    ++named;
                }
            }
        }
    }
}

} // namespace

const RankFile* RankPlaces::ofStage(std::uint32_t pp) const {
    const auto found =
        std::ranges::find_if(files, [&](const auto& rank) { return rank.first.pp == pp; });
    return found == files.end() ? nullptr : found->second;
}

std::optional<RankPlaces> findPlaces(CheckpointData& data, RankSet& ranks) {
    const auto first =
        std::ranges::find_if(ranks.files(), [](const RankFile& file) { return file.stem.empty(); });
    const auto layout =
        first == ranks.files().end() ? std::nullopt : readLayout(first->member.root);
    if (!layout) {
        if (!ranks.isSingle()) {
            ranks.noteNotMerged(
                fail(ErrorCode::ShardsNotJoined, "How these ranks were partitioned is not recorded")
                    .expecting("args with tensor_model_parallel_size")
                    .withHint("The tensors are shown per rank, as stored"));
        }
        return std::nullopt;
    }
    if (const Value* args = first->member.root.find("args")) {
        data.worldSize = worldSize(*args, *layout);
    }
    RankPlaces places{*layout, {}};
    for (RankFile& file : ranks.files()) {
        if (!file.stem.empty()) {
            continue;
        }
        const auto place = placeOf(file.folder, *layout);
        const auto own = readLayout(file.member.root);
        const bool same = own && own->tensor == layout->tensor &&
                          own->pipeline == layout->pipeline && own->expert == layout->expert;
        if (!place || !same) {
            ranks.noteNotMerged(
                fail(ErrorCode::ShardsNotJoined, "The rank folders do not match args")
                    .inFile(file.folder.name)
                    .butFound(same ? Sentence("a folder of a rank out of range")
                                   : "args with a different layout")
                    .expecting(describeLayout(*layout))
                    .withHint("The tensors are shown per rank, as stored"));
            return std::nullopt;
        }
        places.files.emplace(*place, &file);
    }
    noteMissingRanks(ranks, places);
    return places;
}

} // namespace cairn::formats::megatron
