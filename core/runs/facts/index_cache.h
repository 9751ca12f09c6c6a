// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
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

/// Named entries of bytes, one file each. An entry is complete or missing: it is written under a
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
    [[nodiscard]] std::optional<std::vector<std::byte>> read(std::string_view entry) const;
    /// True if it was stored. Then removes the oldest entries until the folder is within limit().
    bool write(std::string_view entry, std::span<const std::byte> content) const;

    /// How many bytes the folder may take: kMaxFolder, unless the user chose another limit. It is
    /// recorded in the folder, so that it is the same for every program that uses it.
    [[nodiscard]] std::uint64_t limit() const;
    /// Also removes the oldest entries beyond it. False: it could not be recorded.
    [[nodiscard]] bool setLimit(std::uint64_t bytes) const;
    /// Bytes that the entries take now.
    [[nodiscard]] std::uint64_t used() const;
    /// Removes all entries. What is being written at the same time may stay.
    void clear() const;

    static constexpr std::uint64_t kMaxEntry = std::uint64_t{256} << 20U;
    static constexpr std::uint64_t kMaxFolder = std::uint64_t{512} << 20U;

private:
    std::filesystem::path m_folder;
};

} // namespace cairn
