// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/checkpoint_facts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What was once found out about checkpoints and runs, kept in the user's cache folder so that a
/// second opening need not find it out again. Never in the users' own folders. Everything here may
/// fail without harm: a cache that cannot be read, is damaged, of another version or switched off
/// is an empty one, and what cannot be written is not kept.
namespace cairn {

/// Who some files are: a digest of name, inode, size, mtime and ctime of each.
using IndexStamp = std::array<std::byte, 16>;

/// Named shelves of bytes, one file each. A shelf is whole or not there: it is written under
/// another name and renamed, after the old one has been taken away; of two processes that write at
/// once one wins. Const members may be called from any thread.
class IndexCache {
public:
    /// $XDG_CACHE_HOME/cairn/index, else ~/.cache/cairn/index; off when CAIRN_CACHE is "off" or
    /// there is neither.
    static IndexCache ofUser();
    /// Empty: off.
    explicit IndexCache(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    [[nodiscard]] bool isOn() const { return !m_folder.empty(); }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

    /// What was written last under that name by this version; nothing if it is not all there.
    [[nodiscard]] std::optional<std::vector<std::byte>> read(std::string_view shelf) const;
    /// True when it is kept. Then makes room: the shelves written longest ago go until the folder
    /// is within kMaxFolder.
    bool write(std::string_view shelf, std::span<const std::byte> content) const;

    static constexpr std::uint64_t kMaxShelf = std::uint64_t{256} << 20U;
    static constexpr std::uint64_t kMaxFolder = std::uint64_t{512} << 20U;

private:
    std::filesystem::path m_folder;
};

/// The stamp of a checkpoint's files, or of any file or folder: everything in it, 8 levels deep.
/// Nothing if it cannot be listed.
std::optional<IndexStamp> stampOf(const std::filesystem::path& path);

/// CheckpointFacts of one experiment's checkpoints, by path and stamp; with a cache that is off for
/// as long as the shelf lives. examine() may be called from several threads at once.
class FactsShelf {
public:
    FactsShelf(const IndexCache& cache, const std::filesystem::path& experiment);

    /// What is known, if the files are still the same; else examineCheckpoint(), remembered. Files
    /// that change meanwhile are not remembered. Fails only with Cancelled.
    Result<CheckpointFacts> examine(const ScannedCheckpoint& checkpoint, const CancelToken& cancel);

    /// Keeps what was examined since the shelf was made, known or new; nothing if none of it is
    /// new.
    void save();
    [[nodiscard]] std::size_t hits() const;

private:
    struct Entry {
        IndexStamp stamp{};
        CheckpointFacts facts;
    };
    void load();

    [[nodiscard]] std::string keyOf(const std::filesystem::path& checkpoint) const;

    const IndexCache& m_cache;
    std::filesystem::path m_experiment;
    std::string m_name;
    mutable std::mutex m_mutex; ///< guards all below
    std::map<std::string, Entry> m_known;
    std::map<std::string, Entry> m_seen;
    std::size_t m_hits = 0;
    bool m_isNew = false;
};

} // namespace cairn
