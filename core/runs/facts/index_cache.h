// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/facts/index_stamp.h"

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

/// A cache of facts about checkpoints and runs in the user's cache folder, so that opening them
/// again is fast. Nothing is written to the users' own folders. Failures are harmless: a cache that
/// cannot be read, is damaged, of a different version or disabled is treated as empty, and data
/// that cannot be written is not cached.
namespace cairn {

/// Named shelves of bytes, one file each. A shelf is complete or missing: it is written under a
/// temporary name and renamed after the old one was removed; if two processes write it
/// simultaneously, one of them wins. Const members may be called from any thread.
class IndexCache {
public:
    /// $XDG_CACHE_HOME/cairn/index, else ~/.cache/cairn/index; disabled if CAIRN_CACHE is "off" or
    /// neither exists.
    static IndexCache ofUser();
    /// An empty path disables the cache.
    explicit IndexCache(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    [[nodiscard]] bool isOn() const { return !m_folder.empty(); }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

    /// The data last written under that name by this version; empty if missing or incomplete.
    [[nodiscard]] std::optional<std::vector<std::byte>> read(std::string_view shelf) const;
    /// True if it was stored. Then removes the oldest shelves until the folder is within limit().
    bool write(std::string_view shelf, std::span<const std::byte> content) const;

    /// How many bytes the folder may take: kMaxFolder, unless the user chose another limit. It is
    /// recorded in the folder, so that it is the same for every program that uses it.
    [[nodiscard]] std::uint64_t limit() const;
    /// Also removes the oldest shelves beyond it. False: it could not be recorded.
    [[nodiscard]] bool setLimit(std::uint64_t bytes) const;
    /// Bytes that the shelves take now.
    [[nodiscard]] std::uint64_t used() const;
    /// Removes all shelves. What is being written at the same time may stay.
    void clear() const;

    static constexpr std::uint64_t kMaxShelf = std::uint64_t{256} << 20U;
    static constexpr std::uint64_t kMaxFolder = std::uint64_t{512} << 20U;

private:
    std::filesystem::path m_folder;
};

/// CheckpointFacts of one experiment's checkpoints, by path and stamp; if the cache is disabled,
/// they are kept during the shelf's lifetime. examine() may be called from several threads.
class FactsShelf {
public:
    FactsShelf(const IndexCache& cache, const std::filesystem::path& experiment);

    /// The cached facts if the files are unchanged; else examineCheckpoint(), whose result is
    /// cached. Files that change in the meantime are not cached. Fails only with Cancelled.
    Result<CheckpointFacts> examine(const ScannedCheckpoint& checkpoint, const CancelToken& cancel);

    /// Stores everything that was examined since the shelf was created; does nothing without new
    /// facts.
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
    mutable std::mutex m_mutex; ///< guards the following members
    std::map<std::string, Entry> m_known;
    std::map<std::string, Entry> m_seen;
    std::size_t m_hits = 0;
    bool m_isNew = false;
};

} // namespace cairn
