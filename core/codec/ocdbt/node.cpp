// SPDX-License-Identifier: Apache-2.0
#include "core/codec/ocdbt/node.h"

#include "core/base/endian.h"

namespace cairn::ocdbt {
namespace {

constexpr std::uint64_t kMaxEntries = 1'048'576;
constexpr std::size_t kMaxKey = 65535;

Error badNode(const Cursor& cursor, Sentence what) {
    return fail(ErrorCode::OcdbtBadNode, "Invalid B-tree node")
        .at(cursor.position())
        .butFound(std::move(what));
}

/// Restores the prefix-compressed keys of a node, one after another.
class Keys {
public:
    /// Reads the columns of lengths; false: truncated.
    bool readLengths(Cursor& cursor, std::uint64_t count, bool interior) {
        m_prefixes = cursor.varints(count - 1);
        m_suffixes = cursor.varints(count);
        m_common = interior ? cursor.varints(count) : std::vector<std::uint64_t>();
        std::uint64_t total = 0;
        for (const std::uint64_t length : m_suffixes) {
            if (length > kMaxKey) {
                return false;
            }
            total += length;
        }
        m_text = asText(cursor.take(total));
        return !cursor.failed();
    }

    /// Puts the next key into text(); false: it contradicts the lengths, or is not in ascending
    /// order.
    bool next(std::size_t index, std::string_view nodePrefix) {
        const std::uint64_t kept = index == 0 ? 0 : m_prefixes[index - 1];
        const auto suffix = m_text.substr(m_at, static_cast<std::size_t>(m_suffixes[index]));
        const std::size_t own = index == 0 ? 0 : m_key.size() - nodePrefix.size();
        if (kept > own || nodePrefix.size() + kept + suffix.size() > kMaxKey) {
            return false;
        }
        const auto keep = static_cast<std::size_t>(kept);
        if (index > 0) { // only the part after the common prefix can differ
            const std::string_view before =
                std::string_view(m_key).substr(nodePrefix.size() + keep);
            if (suffix <= before) {
                return false;
            }
            m_key.resize(nodePrefix.size() + keep);
        } else {
            m_key = nodePrefix;
        }
        m_key += suffix;
        m_at += suffix.size();
        return true;
    }

    [[nodiscard]] const std::string& text() const { return m_key; }
    [[nodiscard]] std::uint64_t common(std::size_t index) const { return m_common[index]; }

private:
    std::vector<std::uint64_t> m_prefixes, m_suffixes, m_common;
    std::string_view m_text;
    std::string m_key;
    std::size_t m_at = 0;
};

Result<void> readLeaf(Cursor& cursor, Keys& keys, std::uint64_t count,
                      const std::vector<TableFile>& files, const NodeRef& ref,
                      const NodeSink& sink) {
    const auto lengths = cursor.varints(count);
    const auto kinds = cursor.take(count);
    std::uint64_t indirect = 0;
    for (const std::byte kind : kinds) {
        if (kind > std::byte{1}) {
            return badNode(cursor, sentence("a value of kind %1", std::to_integer<int>(kind)));
        }
        indirect += std::to_integer<std::uint64_t>(kind);
    }
    const auto fileIds = cursor.varints(indirect);
    const auto offsets = cursor.varints(indirect);
    if (cursor.failed()) {
        return badNode(cursor, "truncated columns");
    }
    std::size_t at = 0; // index among the indirect values
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (!keys.next(i, ref.prefix)) {
            return badNode(cursor, "keys that are not in ascending order, or too long");
        }
        ValueRef value;
        const TableFile* file = nullptr;
        if (kinds[i] == std::byte{0}) {
            value.isInline = true;
            value.bytes = cursor.take(lengths[i]);
        } else {
            if (fileIds[at] >= files.size()) {
                return badNode(cursor, "a file that is not in the table");
            }
            file = &files[static_cast<std::size_t>(fileIds[at])];
            value.range = {offsets[at], lengths[i]};
            ++at;
        }
        if (cursor.failed()) {
            return badNode(cursor, "a truncated value");
        }
        CAIRN_CHECK(sink.value(keys.text(), file, value));
    }
    return {};
}

Result<void> readInterior(Cursor& cursor, Keys& keys, std::uint64_t count,
                          const std::vector<TableFile>& files, const NodeRef& ref,
                          const NodeSink& sink) {
    const auto fileIds = cursor.varints(count);
    const auto offsets = cursor.varints(count);
    const auto lengths = cursor.varints(count);
    const auto keyCounts = cursor.varints(count);
    if (cursor.failed()) {
        return badNode(cursor, "truncated columns");
    }
    for (std::size_t i = 0; i < fileIds.size(); ++i) {
        if (!keys.next(i, ref.prefix)) {
            return badNode(cursor, "keys that are not in ascending order, or too long");
        }
        const std::uint64_t own = keys.text().size() - ref.prefix.size();
        if (fileIds[i] >= files.size() || keys.common(i) > own) {
            return badNode(cursor, "a child without a file or with a prefix longer than its key");
        }
        const auto prefix = ref.prefix.size() + static_cast<std::size_t>(keys.common(i));
        CAIRN_CHECK(sink.child({files[static_cast<std::size_t>(fileIds[i])],
                                {offsets[i], lengths[i]},
                                static_cast<std::uint8_t>(ref.height - 1),
                                keys.text().substr(0, prefix),
                                keyCounts[i]}));
    }
    return {};
}

} // namespace

Result<void> parseNode(std::span<const std::byte> body, const NodeRef& ref, const NodeSink& sink) {
    Cursor cursor(body);
    const std::uint8_t height = cursor.byte();
    if (cursor.failed() || height != ref.height) {
        return badNode(cursor, sentence("height %1 where %2 was expected", height, ref.height));
    }
    std::vector<TableFile> files;
    if (!readFileTable(cursor, ref.file.base, files)) {
        return badNode(cursor, "a malformed file table");
    }
    const std::uint64_t count = cursor.varint();
    if (cursor.failed() || count == 0 || count > kMaxEntries) {
        return badNode(cursor, sentence("%1 entries", count));
    }
    Keys keys;
    if (!keys.readLengths(cursor, count, height > 0)) {
        return badNode(cursor, "malformed keys");
    }
    return height == 0 ? readLeaf(cursor, keys, count, files, ref, sink)
                       : readInterior(cursor, keys, count, files, ref, sink);
}

} // namespace cairn::ocdbt
