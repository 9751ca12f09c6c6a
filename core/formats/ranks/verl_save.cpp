// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/verl_save.h"

#include "core/formats/common/folder_notices.h"
#include "core/formats/common/member_values.h"
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

bool holdsWorldFiles(const Folder& folder) {
    const auto entries = folder.list();
    const auto sets = entries ? rankSets(*entries) : std::vector<RankSet>();
    return std::ranges::any_of(sets, &RankSet::saysWorldSize);
}

class VerlJoiner {
public:
    explicit VerlJoiner(const OpenRequest& request) : m_request(request) {
        m_data.format = "ranks";
        m_data.framework = "verl";
        m_data.path = request.path;
        m_data.completeness = Completeness::Complete;
        m_data.step = positionFromName(request.path.lexically_normal().filename().string()).step;
    }

    Result<CheckpointPtr> join() {
        if (has(m_request.entries, kActor, EntryKind::Folder)) {
            CAIRN_CHECK(add(kActor, {}));
        } else {
            addMissingFile(m_data, m_request.folder, std::string(kActor), Role::Weight,
                           "a critic without its actor");
        }
        if (has(m_request.entries, kCritic, EntryKind::Folder)) {
            CAIRN_CHECK(add(kCritic, "critic"));
        }
        if (m_nested.empty()) {
            return m_firstError ? std::move(*m_firstError)
                                : fail(ErrorCode::NotACheckpoint, "There are no files of ranks");
        }
        if (has(m_request.entries, kData, EntryKind::File)) {
            CAIRN_CHECK(add(kData, "data"));
        }
        m_data.loadValues = memberValues({}, std::move(m_nested));
        return Checkpoint::make(std::move(m_data));
    }

private:
    Result<void> add(std::string_view member, std::string key) {
        const std::string name(member);
        auto opened = m_request.openNested(name);
        if (!opened) {
            return takeFailure(m_data, m_firstError, name, std::move(opened).error());
        }
        const Checkpoint& nested = **opened;
        const std::size_t before = m_data.tensors.size();
        const bool folder = member != kData;
        const std::uint32_t shift = append(m_data, nested, key.empty() ? key : key + ".",
                                           folder ? name + "/" : std::string());
        if (!key.empty()) { // what the actor alone does not need
            for (std::size_t i = before; i < m_data.tensors.size(); ++i) {
                Role& role = m_data.tensors[i].role;
                const bool model = role == Role::Weight || role == Role::Buffer;
                role = model ? Role::TrainingState : role;
            }
        }
        if (nested.completeness() == Completeness::Incomplete) {
            markIncomplete(m_data, name + ": " +
                                       (nested.why().empty() ? "incomplete" : nested.why().front()));
        }
        if (const auto world = nested.data().worldSize) {
            m_data.worldSize = std::max(m_data.worldSize.value_or(0), *world);
        }
        m_nested.push_back({std::move(key), std::move(*opened), shift});
        return {};
    }

    const OpenRequest& m_request;
    CheckpointData m_data;
    std::vector<NestedValues> m_nested;
    std::optional<Error> m_firstError;
};

} // namespace

bool isVerlSave(const Candidate& folder) {
    for (const std::string_view name : {kActor, kCritic}) {
        if (has(folder.entries, name, EntryKind::Folder)) {
            const auto inner = Folder::open(folder.path / name);
            if (inner && holdsWorldFiles(**inner)) {
                return true;
            }
        }
    }
    return false;
}

Result<CheckpointPtr> joinVerlSave(const OpenRequest& request) {
    return VerlJoiner(request).join();
}

} // namespace cairn::formats::ranks
