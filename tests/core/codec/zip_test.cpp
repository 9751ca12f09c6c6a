// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zip/zip_archive.h"
#include "core/io/folder.h"
#include "tests/core/codec/zip_builder.h"
#include "tests/support/growth.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace cairn::test {
namespace {

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
    EXPECT_LT(
        growth(20'000,
               [](std::size_t count) {
                   std::vector<ZipMember> members;
                   for (std::size_t i = 0; i < count; ++i) {
                       members.push_back({"archive/data/" + std::to_string(i), 1, {}});
                   }
                   const auto layout = layOutStoredZip(members, 64);
                   EXPECT_TRUE(layout);
                   const std::vector<std::string> contents(count, "x");
                   const auto source = makeMemorySource(fillLayout(*layout, contents), "many.pt");
                   return processorSeconds([&] {
                       const auto archive = openZip(source);
                       EXPECT_TRUE(archive && archive->entries().size() == count);
                       for (std::size_t i = 0; archive && i < count; ++i) {
                           EXPECT_NE(archive->find("archive/data/" + std::to_string(i)), nullptr);
                       }
                   });
               }),
        kLinear);
}

/// In both directions, against Python's zipfile.
TEST(ZipArchive, AgreesWithPython) {
    const TemporaryFolder folder;
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
    const std::string make = folder.write("make.py", script);
    const std::string command = "python3 " + make + " " + folder.path().string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    auto root = Folder::open(folder.path());
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
