// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zip/zip_write.h"

#include "core/base/checked.h"
#include "core/base/visible_text.h"

#include <bit>
#include <string_view>
#include <unordered_set>

namespace cairn {
namespace {

constexpr std::uint64_t kIn32 = 0xFFFFFFFF;
constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersionZip64 = 45;
constexpr std::uint16_t kFirstOfJanuary1980 = 0x0021;
constexpr std::uint16_t kZip64Field = 0x0001;
constexpr std::uint16_t kPaddingField = 0x4246; ///< "FB", as PyTorch writes it

/// Appends little-endian fields.
class Fields {
public:
    void u16(std::uint64_t value) { put(value, 2); }
    void u32(std::uint64_t value) { put(value, 4); }
    void u64(std::uint64_t value) { put(value, 8); }
    void text(std::string_view value) {
        for (const char c : value) {
            m_bytes.push_back(static_cast<std::byte>(c));
        }
    }
    std::size_t size() const { return m_bytes.size(); }
    std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    void put(std::uint64_t value, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            m_bytes.push_back(static_cast<std::byte>(value >> (8U * i)));
        }
    }
    std::vector<std::byte> m_bytes;
};

std::uint64_t in32(std::uint64_t value) {
    return value < kIn32 ? value : kIn32;
}

/// APPNOTE 4.3.7. The padding comes last: id, length, then `Z`s up to the alignment.
std::vector<std::byte> localHeader(const ZipMember& member, std::uint64_t offset,
                                   std::uint64_t alignment) {
    const bool zip64 = member.size >= kIn32;
    const std::uint64_t before = 30 + member.name.size() + (zip64 ? 20U : 0U) + 4;
    const std::uint64_t padding = (alignment - (offset + before) % alignment) % alignment;
    Fields fields;
    fields.u32(0x04034B50);
    fields.u16(zip64 ? kVersionZip64 : kVersion);
    fields.u16(kUtf8Names);
    fields.u16(0); // stored
    fields.u16(0); // time
    fields.u16(kFirstOfJanuary1980);
    fields.u32(member.crc32.value_or(0));
    fields.u32(in32(member.size));
    fields.u32(in32(member.size));
    fields.u16(member.name.size());
    fields.u16((zip64 ? 20U : 0U) + 4 + padding);
    fields.text(member.name);
    if (zip64) {
        fields.u16(kZip64Field);
        fields.u16(16);
        fields.u64(member.size);
        fields.u64(member.size);
    }
    fields.u16(kPaddingField);
    fields.u16(padding);
    fields.text(std::string(static_cast<std::size_t>(padding), 'Z'));
    return fields.take();
}

/// APPNOTE 4.3.12; returns the position of the CRC-32.
std::size_t addDirectoryEntry(Fields& fields, const ZipMember& member, std::uint64_t offset) {
    const bool largeSize = member.size >= kIn32;
    const bool largeOffset = offset >= kIn32;
    const std::uint64_t zip64 = (largeSize ? 16U : 0U) + (largeOffset ? 8U : 0U);
    fields.u32(0x02014B50);
    fields.u16(kVersionZip64); // made by: FAT, so that no Unix permissions apply
    fields.u16(zip64 != 0 ? kVersionZip64 : kVersion);
    fields.u16(kUtf8Names);
    fields.u16(0);
    fields.u16(0);
    fields.u16(kFirstOfJanuary1980);
    const std::size_t crcPosition = fields.size();
    fields.u32(member.crc32.value_or(0));
    fields.u32(in32(member.size));
    fields.u32(in32(member.size));
    fields.u16(member.name.size());
    fields.u16(zip64 != 0 ? zip64 + 4 : 0);
    fields.u16(0); // comment
    fields.u16(0); // disk
    fields.u16(0); // internal attributes
    fields.u32(0); // external attributes
    fields.u32(in32(offset));
    fields.text(member.name);
    if (zip64 != 0) {
        fields.u16(kZip64Field);
        fields.u16(zip64);
        if (largeSize) {
            fields.u64(member.size);
            fields.u64(member.size);
        }
        if (largeOffset) {
            fields.u64(offset);
        }
    }
    return crcPosition;
}

/// APPNOTE 4.3.14-4.3.16. The zip64 records are always written, as in PyTorch's files.
void addEndRecords(Fields& fields, std::uint64_t count, std::uint64_t offset, std::uint64_t size) {
    fields.u32(0x06064B50);
    fields.u64(44);
    fields.u16(kVersionZip64);
    fields.u16(kVersionZip64);
    fields.u32(0);
    fields.u32(0);
    fields.u64(count);
    fields.u64(count);
    fields.u64(size);
    fields.u64(offset);
    fields.u32(0x07064B50);
    fields.u32(0);
    fields.u64(offset + size);
    fields.u32(1);
    fields.u32(0x06054B50);
    fields.u16(0);
    fields.u16(0);
    fields.u16(count < 0xFFFF ? count : 0xFFFF);
    fields.u16(count < 0xFFFF ? count : 0xFFFF);
    fields.u32(in32(size));
    fields.u32(in32(offset));
    fields.u16(0);
}

Result<void> checkName(const ZipMember& member, std::unordered_set<std::string_view>& seen) {
    const auto refuse = [&](Sentence why) {
        return fail(ErrorCode::NameNotRepresentable, "Invalid name for a ZIP entry")
            .inField(member.name)
            .butFound(std::move(why));
    };
    if (member.name.empty() || member.name.size() > 0xFFFF) {
        return refuse(sentence("%1 bytes", member.name.size()));
    }
    if (!isValidUtf8(member.name) || member.name.find('\0') != std::string::npos) {
        return refuse("bytes that are not UTF-8");
    }
    if (!seen.insert(member.name).second) {
        return refuse("the same name twice");
    }
    return {};
}

} // namespace

Result<ZipLayout> layOutStoredZip(std::span<const ZipMember> members, std::uint64_t alignment) {
    if (!std::has_single_bit(alignment) || alignment > 32768) {
        return fail(ErrorCode::InvalidArgument, "The alignment must be a power of two up to 32768")
            .butFound(verbatim(std::to_string(alignment)));
    }
    ZipLayout layout;
    layout.members.reserve(members.size());
    std::unordered_set<std::string_view> seen;
    std::uint64_t offset = 0;
    for (const ZipMember& member : members) {
        CAIRN_CHECK(checkName(member, seen));
        ZipMemberLayout& laid = layout.members.emplace_back();
        laid.headerOffset = offset;
        laid.header = localHeader(member, offset, alignment);
        laid.headerCrcPosition = 14;
        laid.dataOffset = offset + laid.header.size();
        const auto end = checkedAdd(laid.dataOffset, member.size);
        if (!end || *end > (std::uint64_t{1} << 62U)) {
            return fail(ErrorCode::InvalidArgument, "The archive would be too large")
                .inField(member.name);
        }
        offset = *end;
    }
    Fields directory;
    for (std::size_t i = 0; i < members.size(); ++i) {
        layout.members[i].directoryCrcPosition =
            addDirectoryEntry(directory, members[i], layout.members[i].headerOffset);
    }
    layout.directoryOffset = offset;
    addEndRecords(directory, members.size(), offset, directory.size());
    layout.directory = directory.take();
    layout.size = offset + layout.directory.size();
    return layout;
}

} // namespace cairn
