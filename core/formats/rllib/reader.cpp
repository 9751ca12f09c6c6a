// SPDX-License-Identifier: Apache-2.0
#include "core/codec/json/json_value.h"
#include "core/formats/common/members/member_joiner.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// RLlib checkpoints: a folder for each component, with a pickle of its state. README.md.

namespace cairn::formats::rllib {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"rllib_checkpoint.json"});
constexpr auto kMetadata =
    std::to_array<std::string_view>({"rllib_checkpoint.json", "metadata.json"});
constexpr std::string_view kArguments = "class_and_ctor_args.pkl";
constexpr std::uint64_t kMaxMetadata = std::uint64_t{1} << 20U;
constexpr std::size_t kMostComponents = 4096;
constexpr int kDeepest = 16;

bool has(std::span<const FolderEntry> entries, std::string_view name) {
    return std::ranges::any_of(entries, [&](const FolderEntry& entry) {
        return entry.name == name && entry.kind == EntryKind::File;
    });
}

/// Name of a component's metadata file; empty: this folder is not a component.
std::string_view metadataOf(std::span<const FolderEntry> entries) {
    const auto named =
        std::ranges::find_if(kMetadata, [&](std::string_view name) { return has(entries, name); });
    return named == kMetadata.end() || !has(entries, kArguments) ? std::string_view() : *named;
}

Match probe(const Candidate& candidate) {
    return candidate.isFolder && !metadataOf(candidate.entries).empty() ? Match::Yes : Match::No;
}

class ComponentJoiner {
public:
    explicit ComponentJoiner(const OpenRequest& request)
        : m_request(request), m_joiner(request, "rllib", "rllib") {}

    Result<CheckpointPtr> join() {
        CAIRN_CHECK(addComponent(m_request.folder, {}, 0));
        return std::move(m_joiner).finishOr(
            fail(ErrorCode::NotACheckpoint, "No component in this folder has a state")
                .inFile(m_request.path.string()));
    }

private:
    /// `place`: path of the folder in the checkpoint, with a trailing slash.
    Result<void> addComponent(const FolderPtr& folder, const std::string& place, int depth) {
        CAIRN_CHECK(m_request.cancel.check());
        if (depth > kDeepest || ++m_components > kMostComponents) {
            return fail(ErrorCode::LimitExceeded, "The checkpoint has too many components")
                .inFile(m_request.path.string());
        }
        CAIRN_TRY(const auto entries, folder->list());
        if (!has(entries, kArguments)) {
            return {}; // not a component
        }
        const std::string_view metadata = metadataOf(entries);
        if (metadata.empty()) {
            return m_joiner.takeFailure(
                place + std::string(kMetadata.back()),
                fail(ErrorCode::BadIndex, "The component does not name its state file")
                    .expecting("a file of this name"));
        }
        CAIRN_CHECK(addState(*folder, place, metadata));
        for (const FolderEntry& entry : entries) {
            if (entry.kind != EntryKind::Folder || entry.name.starts_with('.')) {
                continue;
            }
            const auto added = folder->openFolder(entry.name).and_then([&](const FolderPtr& inner) {
                return addComponent(inner, place + entry.name + "/", depth + 1);
            });
            if (!added) {
                CAIRN_CHECK(m_joiner.takeFailure(place + entry.name, added.error()));
            }
        }
        return {};
    }

    Result<void> addState(const Folder& folder, const std::string& place,
                          std::string_view metadata) {
        const auto json = readJsonFile(folder.openFile(metadata), kMaxMetadata);
        const JsonValue* file = json ? json->find("state_file") : nullptr;
        const auto stem =
            file != nullptr
                ? file->asString()
                : Result<std::string_view>(
                      fail(ErrorCode::BadIndex, "The component does not name its state file"));
        if (!json || !stem) {
            return m_joiner.takeFailure(place + std::string(metadata),
                                        json ? stem.error() : json.error());
        }
        if (stem->find('/') != std::string_view::npos) {
            return m_joiner.takeFailure(
                place + std::string(metadata),
                fail(ErrorCode::BadIndex, "The component's state file is not in its folder")
                    .butFound(verbatim(std::string(*stem)))
                    .expecting("a file's name"));
        }
        const std::string name = place + std::string(*stem) + ".pkl";
        std::string key = place.substr(0, place.size() - (place.empty() ? 0 : 1));
        const bool training =
            key.find("rl_module") == std::string::npos && !key.ends_with("learner");
        std::ranges::replace(key, '/', '.');
        CAIRN_TRY(const auto* state,
                  m_joiner.add(name, {.key = std::move(key),
                                      .role = training ? std::optional(Role::TrainingState)
                                                       : std::nullopt}));
        if (state != nullptr && place.empty()) {
            noteStep(*state->checkpoint);
        }
        return {};
    }

    void noteStep(const Checkpoint& state) {
        const auto values = state.values(m_request.cancel);
        const Value* count = values ? values->find("training_iteration") : nullptr;
        if (count != nullptr && count->asInt() != nullptr) {
            m_joiner.data().step = *count->asInt();
        }
    }

    const OpenRequest& m_request;
    MemberJoiner m_joiner;
    std::size_t m_components = 0;
};

Result<CheckpointPtr> open(const OpenRequest& request) {
    return ComponentJoiner(request).join();
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "rllib",
                         .title = "RLlib checkpoints (Ray)",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open};

} // namespace cairn::formats::rllib
