// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"
#include "core/io/cache_folder.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::store {

/// A file of a host, with all that distinguishes its content from another one.
struct CachedFile {
    std::string host;      ///< as RemoteName::account()
    std::string path;      ///< there
    FileIdentity identity; ///< there
};

/// Bytes of remote files on this machine's disk, for later runs of the program: blocks of 1 MiB, of
/// which any pages of 4 KiB may be missing. A file that changes has another identity, and with it
/// other blocks. Any thread, any number of processes; may be deleted at any time.
class BlockCache {
public:
    /// $XDG_CACHE_HOME/cairn/blocks, else ~/.cache/cairn/blocks; disabled if CAIRN_CACHE is "off".
    static BlockCache ofUser();
    /// An empty path disables the cache.
    explicit BlockCache(std::filesystem::path folder);

    [[nodiscard]] bool isOn() const { return m_entries.isOn(); }
    /// As of CacheFolder.
    [[nodiscard]] const std::filesystem::path& folder() const { return m_entries.folder(); }
    [[nodiscard]] std::uint64_t used() const { return m_entries.used(); }
    void clear() const { m_entries.clear(); }

    /// Keeps the complete pages of these bytes; the last page of a file may be shorter.
    void put(const CachedFile& file, std::uint64_t offset, std::string_view bytes) const;

    struct Run {
        std::uint64_t offset = 0; ///< in the file
        std::string bytes;
    };
    /// What is known of the block with that offset in it: pages that follow each other are one run.
    [[nodiscard]] std::vector<Run> block(const CachedFile& file, std::uint64_t offset) const;

    /// Tags (identityTag()) of the files whose ends are known since a place was opened, so that
    /// they are not sent again.
    [[nodiscard]] std::vector<std::uint64_t> tags(const std::string& host,
                                                  std::string_view path) const;
    void putTags(const std::string& host, std::string_view path,
                 const std::vector<std::uint64_t>& tags) const;

    static constexpr std::uint64_t kBlock = std::uint64_t{1} << 20U;
    static constexpr std::uint64_t kPage = 4096;
    static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

private:
    explicit BlockCache(CacheFolder entries) : m_entries(std::move(entries)) {}
    CacheFolder m_entries;
};

} // namespace cairn::store
