// SPDX-License-Identifier: Apache-2.0
#include "core/codec/sstable/table_writer.h"

#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/codec/protobuf/write.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::sstable {
namespace {

using protobuf::appendVarint;

constexpr std::size_t kBlockBytes = 262144;
constexpr std::uint32_t kRestartEvery = 16;
constexpr std::uint64_t kTableMagic = 0xdb4775248b80fb57ULL;
constexpr std::size_t kFooterHandles = 40; ///< bytes of the footer before the magic number

template <class Number> void addNumber(std::string& out, Number value) {
    std::array<std::byte, sizeof(Number)> bytes{};
    storeLittle(std::span<std::byte>(bytes), 0, value);
    out += asText(bytes);
}

std::size_t commonPrefix(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Entries whose keys omit what they share with the previous key, except every `every`th.
class BlockBuilder {
public:
    explicit BlockBuilder(std::uint32_t every) : m_every(every) {}

    /// Returns the position of the value in the block.
    std::size_t add(std::string_view key, std::string_view value) {
        std::size_t shared = 0;
        if (m_count < m_every) {
            shared = commonPrefix(m_last, key);
        } else {
            m_restarts.push_back(static_cast<std::uint32_t>(m_bytes.size()));
            m_count = 0;
        }
        appendVarint(m_bytes, shared);
        appendVarint(m_bytes, key.size() - shared);
        appendVarint(m_bytes, value.size());
        m_bytes += key.substr(shared);
        const std::size_t at = m_bytes.size();
        m_bytes += value;
        m_last = key;
        ++m_count;
        return at;
    }
    [[nodiscard]] bool empty() const { return m_bytes.empty(); }
    [[nodiscard]] std::size_t size() const {
        return m_bytes.size() + sizeof(std::uint32_t) * (m_restarts.size() + 1);
    }
    /// The content; the builder is as new.
    std::string finish() {
        std::string out = std::move(m_bytes);
        for (const std::uint32_t restart : m_restarts) {
            addNumber(out, restart);
        }
        addNumber(out, static_cast<std::uint32_t>(m_restarts.size()));
        *this = BlockBuilder(m_every);
        return out;
    }

private:
    std::uint32_t m_every;
    std::string m_bytes;
    std::string m_last;
    std::vector<std::uint32_t> m_restarts = {0};
    std::uint32_t m_count = 0; ///< entries since the last restart
};

/// A short key that is at least `before` and less than `after`.
std::string separator(std::string_view before, std::string_view after) {
    const std::size_t common = commonPrefix(before, after);
    if (common < std::min(before.size(), after.size())) {
        const auto byte = static_cast<unsigned char>(before[common]);
        if (byte < 0xff && byte + 1 < static_cast<unsigned char>(after[common])) {
            std::string shorter(before.substr(0, common + 1));
            shorter.back() = static_cast<char>(byte + 1);
            return shorter;
        }
    }
    return std::string(before);
}

/// A short key that is at least `key`.
std::string successor(std::string_view key) {
    for (std::size_t i = 0; i < key.size(); ++i) {
        const auto byte = static_cast<unsigned char>(key[i]);
        if (byte != 0xff) {
            std::string shorter(key.substr(0, i + 1));
            shorter.back() = static_cast<char>(byte + 1);
            return shorter;
        }
    }
    return std::string(key);
}

class TableBuilder {
public:
    void add(const Row& row) {
        if (m_pending) { // the key of the block before is short, but below the next one
            m_index.add(separator(m_last, row.key), *m_pending);
            m_pending.reset();
        }
        m_last = row.key;
        const std::size_t at = m_data.add(row.key, row.value);
        m_table.slots.push_back(row.slot ? std::optional(m_out.size() + at + *row.slot)
                                         : std::nullopt);
        if (m_data.size() >= kBlockBytes) {
            m_pending = writeBlock(m_data.finish());
        }
    }

    Table finish() {
        if (!m_data.empty()) {
            m_pending = writeBlock(m_data.finish());
        }
        std::string footer = writeBlock(BlockBuilder(kRestartEvery).finish()); // no meta blocks
        if (m_pending) {
            m_index.add(successor(m_last), *m_pending);
        }
        footer += writeBlock(m_index.finish());
        footer.resize(kFooterHandles);
        addNumber(footer, kTableMagic);
        m_out += footer;
        const auto bytes = asBytes(m_out);
        m_table.bytes.assign(bytes.begin(), bytes.end());
        return std::move(m_table);
    }

private:
    /// Returns the block's handle.
    std::string writeBlock(const std::string& content) {
        const ByteRange range{m_out.size(), content.size() + 1};
        std::string handle;
        appendVarint(handle, range.offset);
        appendVarint(handle, content.size());
        m_out += content;
        m_out += '\0'; // not compressed
        const auto summed = asBytes(m_out).subspan(static_cast<std::size_t>(range.offset));
        m_table.checksums.push_back({m_out.size(), range});
        addNumber(m_out, maskedCrc32c(crc32c(0, summed)));
        return handle;
    }

    std::string m_out;
    BlockBuilder m_data{kRestartEvery};
    BlockBuilder m_index{1};
    std::string m_last;
    std::optional<std::string> m_pending; ///< handle of the last block, which is not in the index
    Table m_table;
};

} // namespace

Table writeTable(std::span<const Row> rows) {
    TableBuilder builder;
    for (const Row& row : rows) {
        builder.add(row);
    }
    return builder.finish();
}

} // namespace cairn::sstable
