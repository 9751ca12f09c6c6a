// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codec/zip_builder.h"

#include <gtest/gtest.h>

#include <map>

namespace cairn::test {
namespace {

struct HostileZip {
    std::string name;
    std::string bytes;
    ErrorCode code;
};

std::string damaged(std::string zip, std::size_t position, std::string_view bytes) {
    return zip.replace(position, bytes.size(), bytes);
}

/// Archives that must not open.
std::vector<HostileZip> refusedAtOpen() {
    const std::string good = buildZip({stored("a/x", "one"), stored("a/y", "two")});
    const std::size_t end = good.size() - 22;
    const auto with = [](auto change) {
        RawEntry entry = stored("a/x", "content");
        change(entry);
        return buildZip({entry, stored("a/y", "two")});
    };
    const auto lying = [](auto change) {
        EndLies lies;
        change(lies);
        return buildZip({stored("a/x", "one"), stored("a/y", "two")}, lies);
    };
    const std::string zip64Field("\x01\0\x08\0\0\0\0\0\0\0\0\0", 12);
    std::string locator("PK\6\7\0\0\0\0", 8);
    put(locator, 0, 8);
    put(locator, 1, 4);
    return {
        {"nothing", "", ErrorCode::ZipNoDirectory},
        {"one byte", "P", ErrorCode::ZipNoDirectory},
        {"text", std::string(5000, 'a'), ErrorCode::ZipNoDirectory},
        {"large text", std::string(200'000, 'a'), ErrorCode::ZipNoDirectory},
        {"cut before the end record", good.substr(0, end), ErrorCode::ZipNoDirectory},
        {"cut inside the end record", good.substr(0, good.size() - 1), ErrorCode::ZipNoDirectory},
        {"comment cut off", damaged(good, good.size() - 2, "\x05"), ErrorCode::ZipBadDirectory},
        {"multi disk", lying([](EndLies& l) { l.disk = 1; }), ErrorCode::ZipMultiDisk},
        {"entry on another disk", with([](RawEntry& e) { e.disk = 2; }), ErrorCode::ZipMultiDisk},
        {"counts differ", damaged(good, end + 8, "\x01"), ErrorCode::ZipMultiDisk},
        {"one entry too many", lying([](EndLies& l) { l.entries = 1; }),
         ErrorCode::ZipBadDirectory},
        {"one entry too few", lying([](EndLies& l) { l.entries = -1; }),
         ErrorCode::ZipBadDirectory},
        {"65000 entries", lying([](EndLies& l) { l.entries = 65000; }), ErrorCode::ZipBadDirectory},
        {"directory too long", lying([](EndLies& l) { l.directorySize = 1; }),
         ErrorCode::ZipBadDirectory},
        {"directory too short", lying([](EndLies& l) { l.directorySize = -1; }),
         ErrorCode::ZipBadDirectory},
        {"directory hides its last entry", lying([](EndLies& l) {
             l.directorySize = -49;
             l.entries = -1;
         }),
         ErrorCode::ZipBadDirectory},
        {"directory beyond the file", lying([](EndLies& l) { l.directoryOffset = 1'000'000; }),
         ErrorCode::ZipBadDirectory},
        {"directory elsewhere", lying([](EndLies& l) { l.directoryOffset = -3; }),
         ErrorCode::ZipBadDirectory},
        {"junk before the archive", "MZ junk" + good, ErrorCode::ZipBadDirectory},
        {"bytes before the end record", lying([](EndLies& l) { l.beforeEnd = "gap"; }),
         ErrorCode::ZipBadDirectory},
        {"directory signature", damaged(good, good.find("PK\1\2"), "PK\1\3"),
         ErrorCode::ZipBadDirectory},
        {"duplicate names", buildZip({stored("a/x", "one"), stored("a/x", "two")}),
         ErrorCode::ZipDuplicateName},
        {"empty name", with([](RawEntry& e) { e.name = ""; }), ErrorCode::ZipBadEntry},
        {"zero byte in the name", with([](RawEntry& e) { e.name = std::string("a\0b", 3); }),
         ErrorCode::ZipBadEntry},
        {"second name in the extra field", with([](RawEntry& e) {
             e.centralExtra = std::string("\x75\x70\x08\0\1crc!evil", 12);
             e.centralExtra.resize(12);
         }),
         ErrorCode::ZipBadEntry},
        {"entry beyond the directory", with([](RawEntry& e) { e.shiftOffset = 100'000; }),
         ErrorCode::ZipBadEntry},
        {"two entries in one place",
         buildZip({stored("a/x", "one"),
                   [] {
                       RawEntry e = stored("a/y", "two");
                       e.shiftOffset = -36;
                       return e;
                   }()}),
         ErrorCode::ZipOverlap},
        {"entry inside another",
         buildZip({stored("a/x", "one"),
                   [] {
                       RawEntry e = stored("a/y", "two");
                       e.shiftOffset = -2;
                       return e;
                   }()}),
         ErrorCode::ZipOverlap},
        {"zip64 field twice", with([&](RawEntry& e) { e.centralExtra = zip64Field + zip64Field; }),
         ErrorCode::ZipBadEntry},
        {"zip64 locator without its record",
         lying([&](EndLies& l) { l.beforeEnd = std::string(56, '\0') + locator; }),
         ErrorCode::ZipBadDirectory},
        {"zip64 needed but absent", lying([](EndLies& l) {
             l.directoryOffset = 0xFFFFFFFF - 72; // 72: see good
         }),
         ErrorCode::ZipBadDirectory},
    };
}

TEST(ZipArchive, RefusesWhatTwoReadersCouldSeeDifferently) {
    std::size_t count = 0;
    for (const HostileZip& hostile : refusedAtOpen()) {
        auto archive = openText(hostile.bytes);
        ASSERT_FALSE(archive) << hostile.name;
        EXPECT_EQ(archive.error().code, hostile.code)
            << hostile.name << ": " << describe(archive.error());
        EXPECT_FALSE(archive.error().where.file.empty()) << hostile.name;
        (void)openText(hostile.bytes, ZipStrictness::Inspect); // must not crash
        ++count;
    }
    EXPECT_GE(count, 30U);
}

TEST(ZipArchive, RefusesAHiddenFirstEntry) {
    // The directory leaves out the first of two entries and is consistent otherwise.
    std::string both = buildZip({stored("a/x", "one"), stored("a/y", "two")});
    const std::size_t directory = both.find("PK\1\2");
    const std::size_t entrySize = 46 + 3;
    both.erase(directory, entrySize);
    const std::size_t end = both.size() - 22;
    both[end + 8] = 1;
    both[end + 10] = 1;
    both[end + 12] = static_cast<char>(entrySize);
    auto archive = openText(both);
    ASSERT_FALSE(archive);
    EXPECT_EQ(archive.error().code, ErrorCode::ZipBadDirectory);
}

/// Entries that must not be read although the archive opens.
TEST(ZipArchive, RefusesBadEntriesOneByOne) {
    struct Case {
        std::string name;
        std::function<void(RawEntry&)> change;
        ErrorCode code;
    };
    const std::vector<Case> cases = {
        {"encrypted", [](RawEntry& e) { e.flags = 1; }, ErrorCode::ZipEncrypted},
        {"strong encryption", [](RawEntry& e) { e.flags = 0x41; }, ErrorCode::ZipEncrypted},
        {"masked headers", [](RawEntry& e) { e.flags = 0x2000; }, ErrorCode::ZipEncrypted},
        {"bzip2", [](RawEntry& e) { e.method = 12; }, ErrorCode::ZipBadMethod},
        {"deflate64", [](RawEntry& e) { e.method = 9; }, ErrorCode::ZipBadMethod},
        {"other local name", [](RawEntry& e) { e.centralName = "a/z"; },
         ErrorCode::ZipLocalMismatch},
        {"shorter local name", [](RawEntry& e) { e.centralName = "a"; },
         ErrorCode::ZipLocalMismatch},
        {"stored with two sizes", [](RawEntry& e) { e.size = 9; }, ErrorCode::ZipBadEntry},
        {"not deflated", [](RawEntry& e) { e.method = 8; }, ErrorCode::ZipBadData},
        {"bomb", [](RawEntry& e) { e.method = 8, e.size = 1'000'000'000; }, ErrorCode::ZipBomb},
        {"more data than declared",
         [](RawEntry& e) { e = deflatedEntry("a/x", std::string(1000, 'a')), e.size = 999; },
         ErrorCode::ZipBomb},
        {"less data than declared",
         [](RawEntry& e) { e = deflatedEntry("a/x", std::string(1000, 'a')), e.size = 1001; },
         ErrorCode::ZipBadData},
        {"deflate stream cut off",
         [](RawEntry& e) {
             e = deflatedEntry("a/x", "0123456789abcdefghijklmnopqrstuvwxyz");
             e.data.resize(e.data.size() - 4);
         },
         ErrorCode::ZipBadData},
        {"wrong checksum of deflated data",
         [](RawEntry& e) { e = deflatedEntry("a/x", std::string(1000, 'a')), e.crc ^= 1U; },
         ErrorCode::BadChecksum},
    };
    for (const Case& item : cases) {
        RawEntry entry = stored("a/x", "content");
        item.change(entry);
        auto archive = openText(buildZip({entry, stored("a/y", "two")}));
        ASSERT_TRUE(archive) << item.name << ": " << describe(archive.error());
        auto bytes = archive->readEntry(archive->entries()[0], 1U << 30U);
        ASSERT_FALSE(bytes) << item.name;
        EXPECT_EQ(bytes.error().code, item.code) << item.name << ": " << describe(bytes.error());
        EXPECT_EQ(content(*archive, "a/y"), "two") << item.name;
    }
}

TEST(ZipArchive, RefusesLocalHeadersThatContradict) {
    const std::string good = buildZip({stored("a/x", "one"), stored("a/y", "two")});
    struct Case {
        std::string name;
        std::size_t position;
        std::string bytes;
        ErrorCode code;
    };
    const std::vector<Case> cases = {
        {"no signature", 0, "PK\3\5", ErrorCode::ZipBadEntry},
        {"encrypted only there", 6, "\x01", ErrorCode::ZipLocalMismatch},
        {"another method", 8, "\x08", ErrorCode::ZipLocalMismatch},
        {"another checksum", 14, "\x01\x02", ErrorCode::ZipLocalMismatch},
        {"another compressed size", 18, "\x04", ErrorCode::ZipLocalMismatch},
        {"a different size", 22, "\x04", ErrorCode::ZipLocalMismatch},
        {"another name length", 26, "\x04", ErrorCode::ZipLocalMismatch},
        {"extra field into the next entry", 28, "\x09", ErrorCode::ZipOverlap},
        {"a different name", 30, "b", ErrorCode::ZipLocalMismatch},
    };
    for (const Case& item : cases) {
        auto archive = openText(damaged(good, item.position, item.bytes));
        ASSERT_TRUE(archive) << item.name;
        auto range = archive->dataRange(archive->entries()[0]);
        ASSERT_FALSE(range) << item.name;
        EXPECT_EQ(range.error().code, item.code) << item.name << ": " << describe(range.error());
    }
}

TEST(ZipArchive, EveryTruncationAndEveryFlippedByteEndsInAnAnswer) {
    const std::string good =
        buildZip({stored("a/data.pkl", "pickle"), deflatedEntry("a/data/0", "zeros and ones")});
    const std::map<std::string, std::string> contents = {{"a/data.pkl", "pickle"},
                                                         {"a/data/0", "zeros and ones"}};
    std::size_t opened = 0;
    const auto touch = [&](const std::string& bytes) {
        for (const auto strictness : {ZipStrictness::Strict, ZipStrictness::Inspect}) {
            const auto archive = openText(bytes, strictness);
            opened += archive ? 1 : 0;
            for (const ZipEntry& entry :
                 archive ? archive->entries() : std::span<const ZipEntry>{}) {
                const auto content = archive->readEntry(entry, 1U << 20U);
                const auto wanted = contents.find(std::string(entry.name));
                const bool verified = archive->verifyEntry(entry, {}).value_or(false);
                if (content && verified && wanted != contents.end()) {
                    EXPECT_EQ(asText(*content), wanted->second) << "damage with the right checksum";
                }
            }
        }
    };
    for (std::size_t i = 0; i < good.size(); ++i) {
        touch(good.substr(0, i));
        EXPECT_EQ(opened, 0U) << "cut at " << i;
        for (const char flip : {'\x01', '\x80', '\xff'}) {
            std::string bytes = good;
            bytes[i] = static_cast<char>(bytes[i] ^ flip);
            touch(bytes);
        }
        opened = 0;
    }
    touch(good);
    EXPECT_EQ(opened, 2U);
}

} // namespace
} // namespace cairn::test
