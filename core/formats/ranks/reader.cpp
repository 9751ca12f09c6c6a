// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/ranks/rank_files.h"
#include "core/formats/ranks/rank_joiner.h"
#include "core/formats/ranks/verl_save.h"

#include <array>

namespace cairn::formats::ranks {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"*_world_size_*_rank_*.pt", "*_rank_*.pt", "rank_*.pt", "consolidated.*.pth",
     "model*-mp*.safetensors", "*rank*.safetensors"});

/// Whether the file begins as an archive of torch.save, a pickle, or safetensors.
bool isOfModel(const FolderPtr& folder, const std::string& name) {
    if (name.ends_with(".safetensors")) {
        return true;
    }
    if (folder == nullptr) {
        return false;
    }
    const auto source = folder->openFile(name);
    std::array<std::byte, 4> head{};
    if (!source || (*source)->size() < head.size() || !(*source)->readAt(0, head)) {
        return false;
    }
    constexpr std::array kZip = {std::byte{'P'}, std::byte{'K'}, std::byte{3}, std::byte{4}};
    constexpr std::byte kProtocol{0x80};
    return head == kZip ||
           (head[0] == kProtocol && head[1] >= std::byte{2} && head[1] <= std::byte{5});
}

Match probe(const Candidate& candidate) {
    const auto sets = candidate.isFolder ? rankSets(candidate.entries) : std::vector<RankSet>();
    if (sets.empty()) {
        return candidate.isFolder && isVerlSave(candidate) ? Match::Yes : Match::No;
    }
    if (sets.front().hasWorldSize) {
        return Match::Yes;
    }
    // Files of data have such names, too: "part-0.bin", "shard_1.pt".
    const bool is =
        sets.front().isSure || isOfModel(candidate.folder, sets.front().files.front().name);
    return is ? Match::Maybe : Match::No;
}

void addFiles(const RankSave& save, std::vector<std::string>& files) {
    for (const RankSet& set : save.sets) {
        for (const RankFile& file : set.files) {
            files.push_back(file.name);
        }
    }
}

std::vector<NamedSave> savesIn(std::span<const FolderEntry> entries) {
    std::vector<NamedSave> named;
    const std::vector<RankSave> saves = rankSaves(entries);
    if (saves.size() < 2 && !otherSavesBeside(entries)) {
        return named; // the folder is the checkpoint
    }
    for (const RankSave& save : saves) {
        NamedSave one{save.name, {}};
        addFiles(save, one.files);
        for (const RankSave& other : save.otherWorlds) {
            addFiles(other, one.files);
        }
        named.push_back(std::move(one));
    }
    return named;
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    const bool verl = request.name.empty() && rankSets(request.entries).empty();
    return verl ? joinVerlSave(request) : joinRanks(request);
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "ranks",
                         .title = "PyTorch files of every rank (FSDP, verl)",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open,
                         .savesIn = savesIn};

} // namespace cairn::formats::ranks
