// SPDX-License-Identifier: Apache-2.0
//
// The entry of a block: 32 bytes, of which each bit is one page of the block, the first one in the
// lowest bit of the first byte; then the pages that are there, in order.
#include "core/store/block_cache.h"

#include "core/base/endian.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

namespace cairn::store {
namespace {

constexpr std::size_t kPages = BlockCache::kBlock / BlockCache::kPage;
constexpr std::size_t kMostTags = 8192;

CacheKind kindOfBlocks() {
    return {.ending = ".block",
            .version = "1", // of this format: bytes of files do not depend on the program
            .mostEntry = 2 * BlockCache::kBlock,
            .mostFolder = BlockCache::kMostBytes,
            .lookEvery = BlockCache::kMostBytes / 32,
            .byUse = true};
}

std::string entryName(const CachedFile& file, std::uint64_t block) {
    const FileIdentity& it = file.identity;
    std::string name = "block";
    for (const std::string& part :
         {file.host, file.path, std::to_string(it.device), std::to_string(it.inode),
          std::to_string(it.size), std::to_string(it.mtimeNs), std::to_string(it.ctimeNs),
          std::to_string(block)}) {
        name += '\0' + part;
    }
    return name;
}

std::string tagsName(const std::string& host, std::string_view path) {
    return "tags" + ('\0' + host) + '\0' + std::string(path);
}

/// A block in memory.
struct Block {
    std::array<std::uint8_t, kPages / 8> present{};
    std::string bytes; ///< as long as the block; zero where nothing is known

    [[nodiscard]] bool has(std::size_t page) const {
        return (present.at(page / 8) >> (page % 8) & 1U) != 0;
    }
    void set(std::size_t page) {
        present.at(page / 8) = static_cast<std::uint8_t>(present.at(page / 8) | (1U << (page % 8)));
    }
};

/// The bytes of a page, which is shorter at the end of the file.
std::size_t pageLength(const Block& block, std::size_t page) {
    const std::size_t begin = page * BlockCache::kPage;
    return begin >= block.bytes.size()
               ? 0
               : std::min<std::size_t>(BlockCache::kPage, block.bytes.size() - begin);
}

/// Nothing: not as put() writes it.
std::optional<Block> blockOf(std::span<const std::byte> entry, std::size_t length) {
    Block block;
    block.bytes.resize(length);
    if (entry.size() < block.present.size()) {
        return std::nullopt;
    }
    std::memcpy(block.present.data(), entry.data(), block.present.size());
    std::size_t at = block.present.size();
    for (std::size_t page = 0; page < kPages; ++page) {
        const std::size_t size = pageLength(block, page);
        if (!block.has(page)) {
            continue;
        }
        if (size == 0 || entry.size() - at < size) {
            return std::nullopt;
        }
        std::memcpy(block.bytes.data() + page * BlockCache::kPage, entry.data() + at, size);
        at += size;
    }
    return at == entry.size() ? std::optional(std::move(block)) : std::nullopt;
}

std::string entryOf(const Block& block) {
    std::string entry(reinterpret_cast<const char*>(block.present.data()), block.present.size());
    for (std::size_t page = 0; page < kPages; ++page) {
        if (block.has(page)) {
            entry.append(block.bytes, page * BlockCache::kPage, pageLength(block, page));
        }
    }
    return entry;
}

std::size_t blockLength(const CachedFile& file, std::uint64_t index) {
    const std::uint64_t begin = index * BlockCache::kBlock;
    return static_cast<std::size_t>(std::min(BlockCache::kBlock, file.identity.size - begin));
}

/// Copies the complete pages that the bytes have of this block; false: all are there already, or
/// there is none.
bool addPages(Block& block, std::uint64_t begin, std::uint64_t offset, std::string_view bytes) {
    bool isNew = false;
    for (std::size_t page = 0; page < kPages; ++page) {
        const std::uint64_t first = begin + page * BlockCache::kPage;
        const std::size_t size = pageLength(block, page);
        if (size == 0 || first < offset || first + size > offset + bytes.size() ||
            block.has(page)) {
            continue;
        }
        std::memcpy(block.bytes.data() + page * BlockCache::kPage, bytes.data() + (first - offset),
                    size);
        block.set(page);
        isNew = true;
    }
    return isNew;
}

} // namespace

BlockCache BlockCache::ofUser() {
    return BlockCache(CacheFolder::ofUser("blocks", kindOfBlocks()));
}

BlockCache::BlockCache(std::filesystem::path folder)
    : m_entries(std::move(folder), kindOfBlocks()) {}

void BlockCache::put(const CachedFile& file, std::uint64_t offset, std::string_view bytes) const {
    if (!isOn() || bytes.empty() || !ByteRange{offset, bytes.size()}.fitsInto(file.identity.size)) {
        return;
    }
    const std::uint64_t last = (offset + (bytes.size() - 1)) / kBlock;
    for (std::uint64_t index = offset / kBlock; index <= last; ++index) {
        const std::string name = entryName(file, index);
        const std::size_t length = blockLength(file, index);
        const auto entry = m_entries.read(name);
        auto known = entry ? blockOf(*entry, length) : std::nullopt;
        Block block = known ? *std::move(known) : Block{{}, std::string(length, '\0')};
        if (addPages(block, index * kBlock, offset, bytes)) {
            (void)m_entries.write(name, asBytes(entryOf(block)));
        }
    }
}

std::vector<BlockCache::Run> BlockCache::block(const CachedFile& file, std::uint64_t offset) const {
    std::vector<Run> runs;
    const std::uint64_t index = offset / kBlock;
    if (!isOn() || offset >= file.identity.size) {
        return runs;
    }
    const auto entry = m_entries.read(entryName(file, index));
    const auto block = entry ? blockOf(*entry, blockLength(file, index)) : std::nullopt;
    for (std::size_t page = 0; block && page < kPages; ++page) {
        if (!block->has(page)) {
            continue;
        }
        if (page == 0 || !block->has(page - 1)) {
            runs.push_back({index * kBlock + page * kPage, {}});
        }
        runs.back().bytes.append(block->bytes, page * kPage, pageLength(*block, page));
    }
    return runs;
}

std::vector<std::uint64_t> BlockCache::tags(const std::string& host, std::string_view path) const {
    std::vector<std::uint64_t> tags;
    const auto entry = m_entries.read(tagsName(host, path));
    for (std::size_t at = 0; entry && at + 8 <= entry->size() && tags.size() < kMostTags; at += 8) {
        tags.push_back(loadLittle<std::uint64_t>(*entry, at));
    }
    return tags;
}

void BlockCache::putTags(const std::string& host, std::string_view path,
                         const std::vector<std::uint64_t>& tags) const {
    std::vector<std::byte> entry(8 * std::min(tags.size(), kMostTags));
    for (std::size_t i = 0; 8 * i < entry.size(); ++i) {
        storeLittle(std::span(entry), 8 * i, tags[i]);
    }
    (void)m_entries.write(tagsName(host, path), entry);
}

} // namespace cairn::store
