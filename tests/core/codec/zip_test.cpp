// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zip/zip_archive.h"
#include "core/io/folder.h"
#include "tests/core/codec/zip_builder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace cairn::test {
namespace {

Result<ZipArchive> openText(const std::string& bytes,
                            ZipStrictness strictness = ZipStrictness::Strict) {
    return openZip(makeMemorySource(toBytes(bytes), "a.zip"), strictness);
}

std::string content(const ZipArchive& archive, std::string_view name) {
    const ZipEntry* entry = archive.find(name);
    if (entry == nullptr) {
        return "(missing)";
    }
    auto bytes = archive.readEntry(*entry, 1U << 24U);
    return bytes ? std::string(asText(*bytes)) : describe(bytes.error());
}

TEST(ZipArchive, ReadsStoredAndDeflatedEntries) {
    const std::string text(100'000, 'x');
    auto archive = openText(buildZip({stored("a/one", "hello"), deflatedEntry("a/two", text)}));
    ASSERT_TRUE(archive) << describe(archive.error());
    ASSERT_EQ(archive->entries().size(), 2U);
    EXPECT_EQ(content(*archive, "a/one"), "hello");
    EXPECT_EQ(content(*archive, "a/two"), text);
    EXPECT_EQ(archive->find("a/three"), nullptr);
    EXPECT_TRUE(archive->notices().empty());
}

TEST(ZipArchive, OpensAnEmptyArchive) {
    auto archive = openText(buildZip({}));
    ASSERT_TRUE(archive) << describe(archive.error());
    EXPECT_TRUE(archive->entries().empty());
}

TEST(ZipArchive, TakesTheDataOffsetFromTheLocalHeader) {
    RawEntry entry = stored("d", "12345678");
    entry.localExtra = std::string("FB\x04\0ZZZZ", 8);
    auto archive = openText(buildZip({entry}));
    ASSERT_TRUE(archive);
    auto range = archive->dataRange(archive->entries()[0]);
    ASSERT_TRUE(range) << describe(range.error());
    EXPECT_EQ(*range, (ByteRange{30 + 1 + 8, 8}));
}

TEST(ZipArchive, AcceptsZeroSizesWithADataDescriptor) {
    RawEntry entry = stored("a/data.pkl", "pickle");
    entry.flags = 0x0808;
    entry.descriptor = std::string("PK\7\x08????????????", 16);
    auto archive = openText(buildZip({entry, stored("a/version", "3\n")}));
    ASSERT_TRUE(archive) << describe(archive.error());
    EXPECT_EQ(content(*archive, "a/data.pkl"), "pickle");
}

TEST(ZipArchive, OpensASliceOfALargerFile) {
    const std::string zip = buildZip({stored("archive/data.pkl", "abc")});
    const std::string file = std::string(43, '?') + zip + "tail";
    auto archive =
        openZip(makeSliceSource(makeMemorySource(toBytes(file), "__0_0.distcp"), {43, zip.size()}));
    ASSERT_TRUE(archive) << describe(archive.error());
    EXPECT_EQ(content(*archive, "archive/data.pkl"), "abc");
}

TEST(ZipArchive, InflatesAtAnyOffset) {
    std::string text;
    for (int i = 0; i < 60'000; ++i) {
        text += std::to_string(i * 7919) + ",";
    }
    auto archive = openText(buildZip({deflatedEntry("t", text)}));
    ASSERT_TRUE(archive);
    auto source = archive->openEntry(archive->entries()[0]);
    ASSERT_TRUE(source);
    std::mt19937 random(1);
    for (int i = 0; i < 50; ++i) {
        const std::size_t offset = random() % text.size();
        const std::size_t length = std::min<std::size_t>(random() % 5000, text.size() - offset);
        std::string got(length, '\0');
        ASSERT_TRUE((*source)->readAt(offset, std::as_writable_bytes(std::span(got))));
        ASSERT_EQ(got, text.substr(offset, length)) << offset;
    }
    std::byte one{};
    auto beyond = (*source)->readAt(text.size(), std::span(&one, 1));
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().code, ErrorCode::Truncated);
}

TEST(ZipArchive, VerifiesChecksums) {
    RawEntry wrong = stored("wrong", "data");
    wrong.crc ^= 1U;
    RawEntry unknown = stored("unknown", "data");
    unknown.crc = 0;
    auto archive = openText(buildZip({stored("right", "data"), wrong, unknown}));
    ASSERT_TRUE(archive);
    EXPECT_EQ(archive->verifyEntry(*archive->find("right"), {}).value_or(false), true);
    EXPECT_EQ(archive->verifyEntry(*archive->find("unknown"), {}).value_or(true), false);
    auto verified = archive->verifyEntry(*archive->find("wrong"), {});
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.error().code, ErrorCode::BadChecksum);
}

TEST(ZipArchive, NotesTrailingBytesAndComments) {
    EndLies lies;
    lies.comment = "made by hand";
    auto commented = openText(buildZip({stored("a", "b")}, lies));
    ASSERT_TRUE(commented) << describe(commented.error());
    EXPECT_TRUE(commented->notices().empty());
    auto trailing = openText(buildZip({stored("a", "b")}) + "junk");
    ASSERT_TRUE(trailing) << describe(trailing.error());
    ASSERT_EQ(trailing->notices().size(), 1U);
    EXPECT_EQ(trailing->notices()[0].error.code, ErrorCode::ZipBadDirectory);
}

TEST(ZipArchive, InspectingSeesEveryCandidate) {
    const std::string zip =
        buildZip({stored("a/data.pkl", "first"), stored("a/data.pkl", "second")});
    auto archive = openText(zip, ZipStrictness::Inspect);
    ASSERT_TRUE(archive) << describe(archive.error());
    ASSERT_EQ(archive->entries().size(), 2U);
    EXPECT_EQ(archive->notices()[0].error.code, ErrorCode::ZipDuplicateName);
    EXPECT_EQ(content(*archive, "a/data.pkl"), "first");
    auto shifted = openText("#!/bin/sh\n" + zip, ZipStrictness::Inspect);
    ASSERT_TRUE(shifted) << describe(shifted.error());
    EXPECT_EQ(content(*shifted, "a/data.pkl"), "first");
}

TEST(ZipArchive, OpensManyEntriesInLinearTime) {
    std::vector<ZipMember> members;
    std::vector<std::string> contents(100'000, "x");
    for (int i = 0; i < 100'000; ++i) {
        members.push_back({"archive/data/" + std::to_string(i), 1, {}});
    }
    auto layout = layOutStoredZip(members, 64);
    ASSERT_TRUE(layout);
    const auto source = makeMemorySource(fillLayout(*layout, contents), "many.pt");
    const auto start = std::chrono::steady_clock::now();
    auto archive = openZip(source);
    const auto spent = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(archive) << describe(archive.error());
    EXPECT_EQ(archive->entries().size(), 100'000U);
    EXPECT_NE(archive->find("archive/data/99999"), nullptr);
    EXPECT_LT(spent, std::chrono::seconds(2));
    RecordProperty(
        "microseconds",
        std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(spent).count()));
}

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
        {"another size", 22, "\x04", ErrorCode::ZipLocalMismatch},
        {"another name length", 26, "\x04", ErrorCode::ZipLocalMismatch},
        {"extra field into the next entry", 28, "\x09", ErrorCode::ZipOverlap},
        {"another name", 30, "b", ErrorCode::ZipLocalMismatch},
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
    const auto touch = [](const std::string& bytes) {
        for (const auto strictness : {ZipStrictness::Strict, ZipStrictness::Inspect}) {
            if (auto archive = openText(bytes, strictness)) {
                for (const ZipEntry& entry : archive->entries()) {
                    (void)archive->readEntry(entry, 1U << 20U);
                }
            }
        }
    };
    for (std::size_t i = 0; i < good.size(); ++i) {
        touch(good.substr(0, i));
        for (const char flip : {'\x01', '\x80', '\xff'}) {
            std::string bytes = good;
            bytes[i] = static_cast<char>(bytes[i] ^ flip);
            touch(bytes);
        }
    }
}

TEST(ZipWrite, AlignsEveryMember) {
    const std::vector<std::string> contents = {"pickle", std::string(1000, 'a'), "", "end"};
    const std::vector<ZipMember> members = {{"archive/data.pkl", 6, {}},
                                            {"archive/data/0", 1000, {}},
                                            {"archive/data/1", 0, {}},
                                            {"archive/version", 3, {}}};
    for (const std::uint64_t alignment : {1U, 64U, 4096U, 32768U}) {
        auto layout = layOutStoredZip(members, alignment);
        ASSERT_TRUE(layout);
        const Bytes bytes = fillLayout(*layout, contents);
        ASSERT_EQ(bytes.size(), layout->size);
        auto archive = openZip(makeMemorySource(bytes, "w.pt"));
        ASSERT_TRUE(archive) << describe(archive.error());
        for (std::size_t i = 0; i < members.size(); ++i) {
            const ZipEntry& entry = archive->entries()[i];
            EXPECT_EQ(layout->members[i].dataOffset % alignment, 0U);
            auto range = archive->dataRange(entry);
            ASSERT_TRUE(range) << describe(range.error());
            EXPECT_EQ(range->offset, layout->members[i].dataOffset);
            EXPECT_EQ(content(*archive, members[i].name), contents[i]);
            EXPECT_TRUE(archive->verifyEntry(entry, {}).value_or(false));
        }
    }
}

TEST(ZipWrite, RefusesNamesAndAlignmentsThatDoNotFit) {
    EXPECT_EQ(layOutStoredZip({}, 3).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(layOutStoredZip({}, 65536).error().code, ErrorCode::InvalidArgument);
    for (const std::string& name :
         {std::string(), std::string(70'000, 'n'), std::string("\xff"), std::string("a\0b", 3)}) {
        const std::vector<ZipMember> members = {{name, 1, {}}};
        EXPECT_EQ(layOutStoredZip(members, 64).error().code, ErrorCode::NameNotRepresentable);
    }
    const std::vector<ZipMember> twice = {{"a", 1, {}}, {"a", 1, {}}};
    EXPECT_EQ(layOutStoredZip(twice, 64).error().code, ErrorCode::NameNotRepresentable);
    const std::vector<ZipMember> huge = {{"a", ~std::uint64_t{0}, {}}};
    EXPECT_EQ(layOutStoredZip(huge, 64).error().code, ErrorCode::InvalidArgument);
}

/// A sparse file: zeros are all that lies between the headers.
TEST(ZipWrite, LaysOutMembersBeyondFourGigabytes) {
    const std::uint64_t large = (std::uint64_t{5} << 30U) + 3;
    const std::vector<ZipMember> members = {{"a/big", large, 0U}, {"a/after", 4, crcOf("tail")}};
    auto layout = layOutStoredZip(members, 64);
    ASSERT_TRUE(layout);
    const auto path = std::filesystem::temp_directory_path() / "cairn_zip_large.zip";
    {
        std::ofstream file(path, std::ios::binary);
        const auto write = [&](std::uint64_t offset, std::span<const std::byte> bytes) {
            file.seekp(static_cast<std::streamoff>(offset));
            file.write(asText(bytes).data(), static_cast<std::streamsize>(bytes.size()));
        };
        write(0, layout->members[0].header);
        write(layout->members[1].headerOffset, layout->members[1].header);
        write(layout->members[1].dataOffset, asBytes("tail"));
        write(layout->directoryOffset, layout->directory);
    }
    auto folder = Folder::open(path.parent_path());
    ASSERT_TRUE(folder);
    auto source = (*folder)->openFile(path.filename().string());
    ASSERT_TRUE(source);
    auto archive = openZip(*source);
    ASSERT_TRUE(archive) << describe(archive.error());
    EXPECT_EQ(archive->find("a/big")->size, large);
    EXPECT_TRUE(archive->dataRange(*archive->find("a/big")));
    EXPECT_EQ(content(*archive, "a/after"), "tail");
    const std::string check = "python3 -c \"import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); "
                              "assert z.read('a/after')==b'tail'; "
                              "assert z.getinfo('a/big').file_size==5*2**30+3\" " +
                              path.string();
    if (std::system("python3 -c 'import zipfile' 2>/dev/null") == 0) {
        EXPECT_EQ(std::system(check.c_str()), 0);
    }
    std::filesystem::remove(path);
}

/// Both ways with Python's own zipfile.
TEST(ZipArchive, AgreesWithPython) {
    if (std::system("python3 -c 'import zipfile' 2>/dev/null") != 0) {
        GTEST_SKIP() << "no python3 here";
    }
    const auto folder = std::filesystem::temp_directory_path() / "cairn_zip_python";
    std::filesystem::create_directories(folder);
    const std::string script = R"(
import sys, zipfile, io
class Pipe(io.RawIOBase):
    def __init__(self, f): self.f = f
    def writable(self): return True
    def write(self, b): return self.f.write(b)
d = sys.argv[1]
def fill(z):
    z.writestr('a/text', b'hello' * 1000)
    z.writestr('a/empty', b'')
    z.writestr('a/\u00e9', b'accent')
for name, method in (('stored', zipfile.ZIP_STORED), ('deflated', zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(f'{d}/{name}.zip', 'w', method) as z: fill(z)
    with open(f'{d}/{name}_piped.zip', 'wb') as f, zipfile.ZipFile(Pipe(f), 'w', method) as z: fill(z)
    with zipfile.ZipFile(f'{d}/{name}_64.zip', 'w', method) as z:
        with z.open('a/text', 'w', force_zip64=True) as f: f.write(b'hello' * 1000)
        z.writestr('a/empty', b''); z.writestr('a/\u00e9', b'accent'); z.comment = b'remark'
)";
    std::ofstream(folder / "make.py") << script;
    const std::string command = "python3 " + (folder / "make.py").string() + " " + folder.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    auto root = Folder::open(folder);
    ASSERT_TRUE(root);
    std::string hellos;
    for (int i = 0; i < 1000; ++i) {
        hellos += "hello";
    }
    for (const std::string kind : {"stored", "deflated"}) {
        for (const std::string variant : {"", "_piped", "_64"}) {
            auto source = (*root)->openFile(kind + variant + ".zip");
            ASSERT_TRUE(source);
            auto archive = openZip(*source);
            ASSERT_TRUE(archive) << kind << variant << ": " << describe(archive.error());
            EXPECT_EQ(content(*archive, "a/text"), hellos) << kind << variant;
            EXPECT_EQ(content(*archive, "a/empty"), "") << kind << variant;
            EXPECT_EQ(content(*archive, "a/\u00e9"), "accent") << kind << variant;
            for (const ZipEntry& entry : archive->entries()) {
                EXPECT_TRUE(archive->verifyEntry(entry, {}).value_or(false)) << entry.name;
            }
        }
    }
    std::filesystem::remove_all(folder);
}

TEST(ZipArchive, ReadsFilesThatTorchWrote) {
    const std::filesystem::path sample =
        CAIRN_SOURCE_DIR "/resources/sample/experiment/tiny-llama-b";
    auto folder = Folder::open(sample);
    ASSERT_TRUE(folder);
    auto source = (*folder)->openFile("checkpoint_epoch_1.pt");
    ASSERT_TRUE(source);
    auto archive = openZip(*source);
    ASSERT_TRUE(archive) << describe(archive.error());
    EXPECT_TRUE(archive->notices().empty());
    EXPECT_NE(archive->find("checkpoint_epoch_1/data.pkl"), nullptr);
    for (const ZipEntry& entry : archive->entries()) {
        auto range = archive->dataRange(entry);
        ASSERT_TRUE(range) << describe(range.error());
        EXPECT_EQ(range->offset % 64, 0U) << entry.name;
        EXPECT_TRUE(archive->verifyEntry(entry, {})) << entry.name;
    }
}

} // namespace
} // namespace cairn::test
