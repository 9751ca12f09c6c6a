// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"

#include <optional>
#include <string>
#include <vector>

namespace cairn::formats {

/// What a member is in the checkpoint that it becomes part of.
struct MemberUse {
    std::string key = {};          ///< of its tensors and values; empty: among the root's own
    std::optional<Role> role = {}; ///< of all its tensors and files, instead of their own
    bool isFolder = false;
    bool needed = true; ///< without it the checkpoint is incomplete
};

/// A checkpoint made of members that are checkpoints themselves: each adds its tensors, files,
/// notices and values under a key. A member that cannot be read is a notice, and the others are
/// read. `request` must outlive it. One thread.
class MemberJoiner {
public:
    struct Member {
        std::string key;
        CheckpointPtr checkpoint;
        std::uint32_t firstTensor = 0; ///< its first one's index in data().tensors
        std::size_t firstFile = 0;     ///< its first one's index in data().files
    };

    MemberJoiner(const OpenRequest& request, std::string format, std::string framework = {});

    CheckpointData& data() { return m_data; }
    [[nodiscard]] const std::vector<Member>& members() const { return m_members; }

    /// Opens a member and adds it; null: it could not be read. The pointer is valid until the next
    /// one is added. Fails: Cancelled.
    Result<const Member*> add(const std::string& name, MemberUse use);
    /// The same of what was opened already.
    Result<const Member*> take(const std::string& name, Result<CheckpointPtr> opened,
                               MemberUse use);
    /// A document beside the members; those stand before the members' values.
    void addDocument(Value key, Value value);
    /// A notice; `needed`: of severity Error, and the checkpoint is incomplete. Fails as add().
    Result<void> takeFailure(const std::string& name, Error error, bool needed = true);
    /// The first error of what was needed, for a folder of which nothing can be read.
    [[nodiscard]] const std::optional<Error>& firstError() const { return m_firstError; }

    /// Reads the members' values when they are asked for. One whose values cannot be read is left
    /// out; of one key at the root the first is taken.
    CheckpointData finish() &&;
    /// The same; with no member the first error, else `nothing`.
    Result<CheckpointPtr> finishOr(Error nothing) &&;

private:
    const OpenRequest& m_request;
    CheckpointData m_data;
    std::vector<ValueItem> m_documents;
    std::vector<Member> m_members;
    std::optional<Error> m_firstError;
};

} // namespace cairn::formats
