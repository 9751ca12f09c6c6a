// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/verl_save.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/members/member_joiner.h"
#include "core/formats/ranks/rank_files.h"
#include "core/model/names/position.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace cairn::formats::ranks {
namespace {

constexpr std::string_view kActor = "actor";
constexpr std::string_view kCritic = "critic";
constexpr std::string_view kData = "data.pt";

bool has(std::span<const FolderEntry> entries, std::string_view name, EntryKind kind) {
    return std::ranges::any_of(entries, [&](const FolderEntry& entry) {
        return entry.name == name && entry.kind == kind;
    });
}

bool hasWorldFiles(const Folder& folder) {
    const auto entries = folder.list();
    const auto sets = entries ? rankSets(*entries) : std::vector<RankSet>();
    return std::ranges::any_of(sets, &RankSet::hasWorldSize);
}

Result<void> addFolder(MemberJoiner& save, std::string_view name, std::string key) {
    const bool beside = !key.empty(); // not needed for the actor alone
    CAIRN_TRY(const auto* member,
              save.add(std::string(name), {.key = std::move(key), .role = {}, .isFolder = true}));
    if (member == nullptr) {
        return {};
    }
    CheckpointData& data = save.data();
    for (std::size_t i = member->firstTensor; beside && i < data.tensors.size(); ++i) {
        Role& role = data.tensors[i].role;
        const bool model = role == Role::Weight || role == Role::Buffer;
        role = model ? Role::TrainingState : role;
    }
    if (const auto world = member->checkpoint->data().worldSize) {
        data.worldSize = std::max(data.worldSize.value_or(0), *world);
    }
    return {};
}

} // namespace

bool isVerlSave(const Candidate& folder) {
    for (const std::string_view name : {kActor, kCritic}) {
        if (has(folder.entries, name, EntryKind::Folder)) {
            const auto inner = Folder::open(folder.path / name);
            if (inner && hasWorldFiles(**inner)) {
                return true;
            }
        }
    }
    return false;
}

Result<CheckpointPtr> joinVerlSave(const OpenRequest& request) {
    MemberJoiner save(request, "ranks", "verl");
    save.data().step = positionFromName(request.path.lexically_normal().filename().string()).step;
    if (has(request.entries, kActor, EntryKind::Folder)) {
        CAIRN_CHECK(addFolder(save, kActor, {}));
    } else {
        addMissingFile(save.data(), request.folder, std::string(kActor), Role::Weight,
                       "a critic without its actor");
    }
    if (has(request.entries, kCritic, EntryKind::Folder)) {
        CAIRN_CHECK(addFolder(save, kCritic, std::string(kCritic)));
    }
    if (!save.members().empty() && has(request.entries, kData, EntryKind::File)) {
        CAIRN_CHECK(save.add(std::string(kData), {.key = "data", .role = Role::TrainingState}));
    }
    return std::move(save).finishOr(
        fail(ErrorCode::NotACheckpoint, "No files of ranks").inFile(request.path.string()));
}

} // namespace cairn::formats::ranks
