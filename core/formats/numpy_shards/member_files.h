// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/format.h"
#include "core/formats/numpy_shards/folder_choice.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// The files of a set and the arrays in them. Private to this folder.
namespace cairn::formats::numpy_shards {

struct Member {
    const ChosenFile* chosen = nullptr; ///< borrowed from the choice
    FileIndex file;
    bool missing = false; ///< or cannot be read: it has no arrays
    std::vector<TensorEntry> arrays;
    std::unordered_map<std::string, std::size_t> byName; ///< positions in `arrays`
    std::vector<bool> used;                              ///< arrays that are part of a tensor
};

/// Opens each chosen file by its own format and adds it to the checkpoint's files, without its
/// tensors; what is missing or damaged is noted there. Borrows the request, the choice and the
/// checkpoint's data. One thread.
class MemberFiles {
public:
    MemberFiles(const OpenRequest& request, CheckpointData& data)
        : m_request(request), m_data(data) {}

    /// Fails with Cancelled, and where no file can be read.
    Result<void> open(const FolderChoice& choice);
    /// A file that is missing: listed, so that what is in it can be reported.
    void addMissing(const std::string& name);

    [[nodiscard]] std::vector<Member>& all() { return m_members; }
    /// Null: it is not one of them.
    [[nodiscard]] Member* named(const std::string& name);
    /// What was noted about element types that NumPy does not name.
    [[nodiscard]] const std::vector<Notice>& nameless() const { return m_nameless; }

private:
    Result<void> checkName(const std::string& name);
    Result<void> openMember(Member& member);
    void addUnreadable(Member& member, Error error);

    const OpenRequest& m_request;
    CheckpointData& m_data;
    std::vector<Member> m_members;
    std::unordered_map<std::string, std::size_t> m_byFile;
    std::set<std::pair<std::uint64_t, std::uint64_t>> m_seen; ///< device and inode
    std::vector<Notice> m_nameless;
    std::optional<Error> m_firstError;
    std::size_t m_opened = 0;
};

} // namespace cairn::formats::numpy_shards
