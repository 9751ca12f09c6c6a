// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/ranks/rank_files.h"
#include "core/formats/ranks/rank_joiner.h"

#include <array>

namespace cairn::formats::ranks {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"*_world_size_*_rank_*.pt", "*_rank_*.pt", "rank_*.pt", "consolidated.*.pth"});

Match probe(const Candidate& candidate) {
    const auto sets = candidate.isFolder ? rankSets(candidate.entries) : std::vector<RankSet>();
    if (sets.empty()) {
        return Match::No;
    }
    return sets.front().saysWorldSize ? Match::Yes : Match::Maybe;
}

std::vector<NamedSave> savesIn(std::span<const FolderEntry> entries) {
    std::vector<NamedSave> named;
    const std::vector<RankSave> saves = rankSaves(entries);
    if (saves.size() < 2 && !otherSavesBeside(entries)) {
        return named; // the folder is the checkpoint
    }
    for (const RankSave& save : saves) {
        NamedSave one{save.name, {}};
        for (const RankSet& set : save.sets) {
            for (const RankFile& file : set.files) {
                one.files.push_back(file.name);
            }
        }
        named.push_back(std::move(one));
    }
    return named;
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "ranks",
                         .title = "PyTorch files of every rank (FSDP, verl)",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = joinRanks,
                         .savesIn = savesIn};

} // namespace cairn::formats::ranks
