// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "tests/support/safetensors_file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace cairn {
namespace {

namespace fs = std::filesystem;

std::string weights() {
    return test::safetensorsFile(R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4);
}

TEST(Probed, AFolderIsOpenedAsItWasListed) {
    const test::TemporaryFolder folder;
    folder.write("config.json", "{}");
    folder.write("model.safetensors", weights());
    Probed probed = probeLocation(folder.path());
    ASSERT_NE(probed.format, nullptr);
    EXPECT_EQ(probed.format->id, "huggingface");
    EXPECT_TRUE(probed.isFolder());
    EXPECT_EQ(probed.listed().entries.size(), 2U);
    EXPECT_EQ(probed.listed().place.folder, probed.request.folder);
    folder.write("a-later.safetensors", weights());
    const auto opened = openCheckpoint(std::move(probed));
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ((*opened)->tensors().size(), 1U);
}

TEST(Probed, AFileIsReadFromWhereItWasProbed) {
    const test::TemporaryFolder folder;
    const fs::path file = folder.write("a.safetensors", weights());
    Probed probed = probeLocation(file);
    ASSERT_NE(probed.format, nullptr);
    EXPECT_FALSE(probed.isFolder());
    ASSERT_NE(probed.request.source, nullptr);
    fs::remove(file); // the open file is read
    const auto opened = openCheckpoint(std::move(probed));
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ((*opened)->path(), file);
}

TEST(Probed, TheProblemIsThatOfOpening) {
    const test::TemporaryFolder folder;
    folder.write("notes.txt", "nothing");
    for (const fs::path& path :
         {folder.path() / "missing", folder.path() / "notes.txt", folder.path()}) {
        const Probed probed = probeLocation(path);
        EXPECT_EQ(probed.format, nullptr) << path;
        ASSERT_TRUE(probed.problem) << path;
        const auto opened = openCheckpoint(path);
        ASSERT_FALSE(opened) << path;
        EXPECT_EQ(probed.problem->code, opened.error().code) << path;
        EXPECT_EQ(probed.problem->message, opened.error().message) << path;
    }
}

TEST(Probed, TheOnlyFileOfAFolderIsOpened) {
    const test::TemporaryFolder folder;
    folder.write("notes.txt", "nothing");
    const fs::path file = folder.write("other.safetensors", weights());
    folder.write("log.txt", "nothing");
    const auto opened = openCheckpoint(probeLocation(folder.path()));
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ((*opened)->path().filename(), "other.safetensors");
}

} // namespace
} // namespace cairn
