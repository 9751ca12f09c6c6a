// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/member_joiner.h"
#include "core/formats/huggingface/second_saves.h"
#include "core/formats/huggingface/step_check.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace cairn::formats::huggingface {

/// Adds the folder's files and sub-folders to its checkpoint, and keeps the results that are
/// compared later. `request` must outlive it. Not thread-safe.
class MemberAdder {
public:
    explicit MemberAdder(const OpenRequest& request)
        : m_request(request), m_joiner(request, "huggingface"), m_data(m_joiner.data()) {}
    MemberAdder(const MemberAdder&) = delete; // contains references to itself
    MemberAdder& operator=(const MemberAdder&) = delete;

    [[nodiscard]] const OpenRequest& request() const { return m_request; }
    CheckpointData& data() { return m_data; }
    MemberJoiner& joiner() { return m_joiner; }

    /// Opens a file or sub-folder as a checkpoint and adds it; sets `use.isFolder`. Without a key
    /// its tensors are weights of the model, with a role they are training state. An unreadable one
    /// becomes a notice. Fails: OutsideFolder (the index or the user asked for it), Cancelled.
    Result<void> add(const std::string& name, MemberUse use = {});
    /// The same for an opened checkpoint.
    Result<void> take(const std::string& name, const CheckpointPtr& opened, MemberUse use = {});
    Result<void> takeFailure(const std::string& name, Error error, bool needed = true);

    /// A file that is not a checkpoint; null: it is missing.
    void addFile(const std::string& name, const ByteSource* source, Role role);
    /// Adds a missing shard; `tensors`: its number of tensors according to the index (0: unknown).
    void addMissing(const std::string& name, std::size_t tensors = 0);

    /// The paths of all files added so far. Valid until the next file is added.
    [[nodiscard]] std::set<std::string_view> paths() const;

    /// Weights under their own names, and training state, in the order in which they were added.
    [[nodiscard]] const std::vector<SelectedWeights>& weights() const { return m_weights; }
    [[nodiscard]] const std::vector<OpenedState>& states() const { return m_states; }

private:
    void keepModelRoles(std::size_t first);

    const OpenRequest& m_request;
    MemberJoiner m_joiner;
    CheckpointData& m_data; ///< shared with the joiner
    std::vector<SelectedWeights> m_weights;
    std::vector<OpenedState> m_states;
};

} // namespace cairn::formats::huggingface
