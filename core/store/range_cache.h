// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <span>
#include <string>

namespace cairn::store {

/// Bytes of remote files in memory, by the identity of the file: a changed file has another one.
/// Drops the files that were not used for the longest time. Any thread.
class RangeCache {
public:
    explicit RangeCache(std::uint64_t mostBytes) : m_most(mostBytes) {}

    void put(const FileIdentity& file, std::uint64_t offset, std::string bytes);
    /// Fills all of `out` and returns true, or leaves it undefined.
    bool get(const FileIdentity& file, std::uint64_t offset, std::span<std::byte> out);

private:
    struct File {
        FileIdentity identity;
        std::map<std::uint64_t, std::string> parts; ///< none contains another
        std::uint64_t bytes = 0;
    };
    std::list<File>::iterator find(const FileIdentity& file);

    std::uint64_t m_most;
    std::mutex m_lock;
    std::list<File> m_files; ///< the latest first
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::list<File>::iterator> m_byInode;
    std::uint64_t m_bytes = 0;
};

} // namespace cairn::store
