// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What a cache folder contains.
struct CacheKind {
    std::string ending;  ///< of the files' names, for example ".index"
    std::string version; ///< entries of another one are not read
    std::uint64_t mostEntry = 0;
    std::uint64_t mostFolder = 0; ///< bytes, unless the user chose another limit
    /// Bytes that may be written before the folder is looked at again; 0: at every write.
    std::uint64_t lookEvery = 0;
    bool byUse = false; ///< the least recently used are removed first; else the earliest written
};

/// Named entries of bytes in a folder of the user's own cache, one file each, which only this user
/// may read. An entry is complete or missing: it is written under a temporary name and renamed
/// after the old one was removed; if two processes write it simultaneously, one of them wins. Its
/// name and a checksum are in the file. The folder may be deleted at any time. Failures are
/// harmless: what cannot be read, is damaged, or is of another version is missing, and what cannot
/// be written is not cached. Const members may be called from any thread.
class CacheFolder {
public:
    /// Beneath the user's cache folder ($XDG_CACHE_HOME/cairn, else ~/.cache/cairn); disabled if
    /// CAIRN_CACHE is "off" or neither exists.
    static CacheFolder ofUser(std::string_view name, CacheKind kind);
    /// An empty path disables the cache.
    CacheFolder(std::filesystem::path folder, CacheKind kind);

    [[nodiscard]] bool isOn() const { return !m_folder.empty(); }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

    [[nodiscard]] std::optional<std::vector<std::byte>> read(std::string_view entry) const;
    /// True if it was stored. Then removes entries until the folder is within limit().
    bool write(std::string_view entry, std::span<const std::byte> content) const;

    /// The limit that the user chose is recorded in the folder, so that it is the same for every
    /// program that uses it.
    [[nodiscard]] std::uint64_t limit() const;
    /// Also removes entries beyond it. False: it could not be recorded.
    [[nodiscard]] bool setLimit(std::uint64_t bytes) const;
    /// Bytes that the entries take now.
    [[nodiscard]] std::uint64_t used() const;
    /// Removes all entries. What is being written at the same time may stay.
    void clear() const;

private:
    struct Written;
    std::filesystem::path m_folder;
    CacheKind m_kind;
    std::shared_ptr<Written> m_written; ///< since the folder was looked at
};

} // namespace cairn
