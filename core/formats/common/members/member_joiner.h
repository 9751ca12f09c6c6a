// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <optional>
#include <string>
#include <vector>

namespace cairn::formats {

/// How a member is added to the checkpoint.
struct MemberUse {
    std::string key = {}; ///< prefix for its tensors and values; empty: they are added to the root
    std::optional<Role> role = {}; ///< overrides the roles of its tensors and files
    bool isFolder = false;
    bool needed = true; ///< the checkpoint is incomplete without it
};

/// Builds a checkpoint from members that are checkpoints themselves: each adds its tensors, files,
/// notices and values under a key. An unreadable member becomes a notice. `request` must outlive
/// this object. Not thread-safe.
class MemberJoiner {
public:
    struct Member {
        std::string key;
        CheckpointPtr checkpoint;
        std::uint32_t firstTensor = 0; ///< index of its first tensor in data().tensors
        std::size_t firstFile = 0;     ///< index of its first file in data().files
    };

    MemberJoiner(const OpenRequest& request, std::string format, std::string framework = {});

    CheckpointData& data() { return m_data; }
    [[nodiscard]] const std::vector<Member>& members() const { return m_members; }

    /// Opens a member and adds it; null: it could not be read. The pointer is valid until the next
    /// member is added. Fails: Cancelled.
    Result<const Member*> add(const std::string& name, MemberUse use);
    /// Adds an already opened member.
    Result<const Member*> take(const std::string& name, Result<CheckpointPtr> opened,
                               MemberUse use);
    /// Adds a document, which precedes the members' values. `compared`: with its stored checksum.
    void addDocument(Value key, Value value, bool compared = false);
    /// Adds a notice; `needed`: with severity Error, and the checkpoint is incomplete. Fails as
    /// add().
    Result<void> takeFailure(const std::string& name, Error error, bool needed = true);
    /// The first error of a needed member, for a folder without any readable member.
    [[nodiscard]] const std::optional<Error>& firstError() const { return m_firstError; }

    /// The result; its loader reads the members' values on demand. In place of a member's values
    /// that cannot be read is an unreadableValue(); if a key occurs several times at the root, the
    /// first one is used.
    CheckpointData finish() &&;
    /// As finish(); without a member, fails with the first error, else with `nothing`.
    Result<CheckpointPtr> finishOr(Error nothing) &&;

private:
    const OpenRequest& m_request;
    CheckpointData m_data;
    std::vector<ValueItem> m_documents;
    ValueRecords m_documentRecords;
    std::vector<Member> m_members;
    std::optional<Error> m_firstError;
};

} // namespace cairn::formats
