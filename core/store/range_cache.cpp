// SPDX-License-Identifier: Apache-2.0
#include "core/store/range_cache.h"

#include <algorithm>
#include <cstring>

namespace cairn::store {

std::list<RangeCache::File>::iterator RangeCache::find(const FileIdentity& file) {
    const auto at = m_byInode.find({file.device, file.inode});
    if (at == m_byInode.end() || at->second->identity != file) {
        return m_files.end();
    }
    m_files.splice(m_files.begin(), m_files, at->second);
    return at->second;
}

void RangeCache::put(const FileIdentity& file, std::uint64_t offset, std::string bytes) {
    const std::lock_guard guard(m_lock);
    auto at = find(file);
    if (at == m_files.end()) {
        const auto old = m_byInode.find({file.device, file.inode});
        if (old != m_byInode.end()) { // an earlier content
            m_bytes -= old->second->bytes;
            m_files.erase(old->second);
        }
        m_files.push_front({file, {}, 0});
        at = m_files.begin();
        m_byInode[{file.device, file.inode}] = at;
    }
    const std::uint64_t end = offset + bytes.size();
    auto part = at->parts.upper_bound(offset);
    if (part != at->parts.begin()) {
        const auto before = std::prev(part);
        if (before->first + before->second.size() >= end) {
            return;
        }
        part = before->first == offset ? before : part;
    }
    while (part != at->parts.end() && part->first + part->second.size() <= end) {
        at->bytes -= part->second.size();
        m_bytes -= part->second.size();
        part = at->parts.erase(part);
    }
    at->bytes += bytes.size();
    m_bytes += bytes.size();
    at->parts.insert_or_assign(offset, std::move(bytes));
    while (m_bytes > m_most && m_files.size() > 1) {
        m_bytes -= m_files.back().bytes;
        m_byInode.erase({m_files.back().identity.device, m_files.back().identity.inode});
        m_files.pop_back();
    }
    if (m_bytes > m_most) { // one large file
        m_bytes -= at->bytes;
        at->bytes = 0;
        at->parts.clear();
    }
}

bool RangeCache::get(const FileIdentity& file, std::uint64_t offset, std::span<std::byte> out) {
    const std::lock_guard guard(m_lock);
    const auto at = find(file);
    if (at == m_files.end()) {
        return false;
    }
    while (!out.empty()) {
        auto part = at->parts.upper_bound(offset);
        if (part == at->parts.begin()) {
            return false;
        }
        --part;
        const std::uint64_t skip = offset - part->first;
        if (skip >= part->second.size()) {
            return false;
        }
        const std::size_t length = std::min<std::uint64_t>(out.size(), part->second.size() - skip);
        std::memcpy(out.data(), part->second.data() + skip, length);
        out = out.subspan(length);
        offset += length;
    }
    return true;
}

} // namespace cairn::store
