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

/// The files of a set, and their arrays. Private to this folder.
namespace cairn::formats::numpy_shards {

struct Member {
    const ChosenFile* chosen = nullptr; ///< points into the choice
    FileIndex file;
    bool missing = false; ///< or unreadable: without arrays
    std::vector<TensorEntry> arrays;
    std::unordered_map<std::string, std::size_t> byName; ///< positions in `arrays`
    std::vector<bool> used;                              ///< arrays that are part of a tensor
};

/// Opens each chosen file with its format and adds it to the checkpoint's files, without its
/// tensors; missing or damaged files are reported. Borrows the request, the choice and the
/// checkpoint's data. Not thread-safe.
class MemberFiles {
public:
    MemberFiles(const OpenRequest& request, CheckpointData& data)
        : m_request(request), m_data(data) {}

    /// Fails with Cancelled, and if no file can be read.
    Result<void> open(const FolderChoice& choice);
    /// Lists a missing file, so that its contents can be reported.
    void addMissing(const std::string& name);

    [[nodiscard]] std::vector<Member>& all() { return m_members; }
    /// Null: unknown name.
    [[nodiscard]] Member* named(const std::string& name);
    /// Notices about element types without a name in NumPy.
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
