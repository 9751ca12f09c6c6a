// SPDX-License-Identifier: Apache-2.0
// The freedesktop.org Trash specification, a disk that fails at any call, and traps that others
// prepare.
#include "core/io/file_ops_fault.h"
#include "core/runs/retention/retention_apply.h"
#include "core/runs/retention/wastebasket.h"
#include "tests/core/runs/run_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <unistd.h>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

WastebasketPlaces placesIn(const TemporaryFolder& folder) {
    fs::create_directories(folder.path() / "home");
    return {folder.path() / "home/Trash", folder.path() / "home", ::getuid()};
}

/// Every file in a wastebasket without an info file, and every info file without its file.
std::vector<std::string> orphansIn(const fs::path& trash) {
    std::vector<std::string> orphans;
    for (const char* part : {"files", "info"}) {
        for (const auto& entry : fs::exists(trash / part) ? fs::directory_iterator(trash / part)
                                                          : fs::directory_iterator()) {
            const std::string name = entry.path().filename();
            if (std::string_view(part) == "files" &&
                !fs::exists(trash / "info" / (name + ".trashinfo"))) {
                orphans.push_back(name);
            }
        }
    }
    return orphans;
}

TEST(Wastebasket, TakesAFileAndSaysWhereItWas) {
    const TemporaryFolder folder;
    folder.write("a b/100%.pt", "data");
    RealFileOps ops;
    const auto to = moveToWastebasket(ops, folder.path() / "a b/100%.pt", placesIn(folder));
    ASSERT_TRUE(to) << describe(to.error());
    EXPECT_EQ(test::readText(*to), "data");
    const std::string info = test::readText(folder.path() / "home/Trash/info/100%.pt.trashinfo");
    EXPECT_TRUE(info.starts_with("[Trash Info]\nPath=/")) << info;
    EXPECT_NE(info.find("/a%20b/100%25.pt\nDeletionDate=2"), std::string::npos) << info;
    folder.write("a b/100%.pt", "again");
    EXPECT_EQ(moveToWastebasket(ops, folder.path() / "a b/100%.pt", placesIn(folder))->filename(),
              "100%.pt.2");
}

TEST(Wastebasket, TakesNamesOfAnyLength) {
    RealFileOps ops;
    for (const std::size_t length : {200U, 240U, 246U, 255U}) {
        const TemporaryFolder folder;
        const std::string name = std::string(length - 2, 'n') + "\xc3\xa9";
        folder.write(name, "data");
        const auto to = moveToWastebasket(ops, folder.path() / name, placesIn(folder));
        ASSERT_TRUE(to) << length << describe(to.error());
        EXPECT_TRUE(orphansIn(folder.path() / "home/Trash").empty());
        const std::string info = test::readText(folder.path() / "home/Trash/info" /
                                                (to->filename().string() + ".trashinfo"));
        EXPECT_NE(info.find(std::string(length - 2, 'n') + "%C3%A9\n"), std::string::npos)
            << "the path is whole";
    }
}

TEST(Wastebasket, TakesSeveralFilesAsOneFolder) {
    const TemporaryFolder folder;
    folder.write("run/ckpt-5.index", "index");
    folder.write("run/ckpt-5.data", "data");
    RealFileOps ops;
    const auto to = moveToWastebasket(
        ops, folder.path() / "run/ckpt-5",
        {folder.path() / "run/ckpt-5.index", folder.path() / "run/ckpt-5.data"}, placesIn(folder));
    ASSERT_TRUE(to) << describe(to.error());
    EXPECT_EQ(test::readText(*to / "ckpt-5.index") + test::readText(*to / "ckpt-5.data"),
              "indexdata");
    EXPECT_TRUE(fs::is_empty(folder.path() / "run"));
    EXPECT_TRUE(fs::exists(folder.path() / "home/Trash/info/ckpt-5.trashinfo"));
}

TEST(Wastebasket, AFailedStatChoosesNoOtherOne) {
    const TemporaryFolder folder;
    WastebasketPlaces places = placesIn(folder);
    folder.write("home/file", "");
    folder.write("run/ckpt-5.pt", "data");
    const fs::path checkpoint = folder.path() / "run/ckpt-5.pt";
    places.homeParent = folder.path() / "home/file/below"; // ENOTDIR
    RealFileOps ops;
    const auto to = moveToWastebasket(ops, checkpoint, places);
    ASSERT_FALSE(to);
    EXPECT_TRUE(fs::exists(checkpoint));
    EXPECT_FALSE(fs::exists(places.home));
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
        EXPECT_FALSE(entry.path().filename().string().starts_with(".Trash")) << entry.path();
    }
    places.homeParent = folder.path() / "home";
    EXPECT_EQ(moveToWastebasket(ops, checkpoint, places).value(), places.home / "files/ckpt-5.pt");
}

TEST(Wastebasket, SyncsTheFoldersAfterTheMove) {
    const TemporaryFolder folder;
    const WastebasketPlaces places = placesIn(folder);
    folder.write("run/ckpt-5.pt", "data");
    RealFileOps real;
    RecordFileOps ops(real);
    ASSERT_TRUE(moveToWastebasket(ops, folder.path() / "run/ckpt-5.pt", places));
    const std::vector<RecordedCall> calls = ops.calls();
    const auto moved = std::ranges::find(calls, FileCallKind::Rename, &RecordedCall::kind);
    ASSERT_NE(moved, calls.end());
    const auto synced =
        std::ranges::count(moved, calls.end(), FileCallKind::SyncFolder, &RecordedCall::kind);
    EXPECT_EQ(synced, 3); // the wastebasket's files and info, and the folder that it was in
}

TEST(Wastebasket, AFaultAtAnyCallLosesNothing) {
    for (const bool several : {false, true}) {
        for (const bool forEver : {false, true}) {
            for (std::uint64_t at = 0; at < 60; ++at) {
                const TemporaryFolder folder;
                const WastebasketPlaces places = placesIn(folder);
                folder.write("run/ckpt-5.index", "index");
                folder.write("run/ckpt-5.data", "data");
                RealFileOps real;
                FaultFileOps ops(real,
                                 {.at = at, .fromThenOn = forEver, .errnoValue = EIO, .only = {}});
                const fs::path index = folder.path() / "run/ckpt-5.index";
                const auto to =
                    several ? moveToWastebasket(ops, folder.path() / "run/ckpt-5",
                                                {index, folder.path() / "run/ckpt-5.data"}, places)
                            : moveToWastebasket(ops, index, places);
                const std::string where =
                    std::to_string(at) + (several ? " several" : "") + (forEver ? " for ever" : "");
                std::map<std::string, std::string> found;
                for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
                    if (entry.is_regular_file() && entry.path().extension() != ".trashinfo") {
                        found[entry.path().filename()] += test::readText(entry.path());
                    }
                }
                EXPECT_EQ(found.size(), 2U) << where;
                EXPECT_EQ(found["ckpt-5.data"], "data") << where;
                EXPECT_TRUE(orphansIn(places.home).empty()) << where;
                if (!to && !forEver) {
                    EXPECT_TRUE(fs::exists(index)) << where;
                    EXPECT_TRUE(fs::exists(folder.path() / "run/ckpt-5.data")) << where;
                }
            }
        }
    }
}

TEST(WastebasketRestore, BringsBackAFileAFolderAndASaveOfSeveralFiles) {
    const TemporaryFolder folder;
    const WastebasketPlaces places = placesIn(folder);
    RealFileOps ops;
    folder.write("run/step-1/a.pt", "one");
    folder.write("run/ckpt-5.index", "index");
    folder.write("run/ckpt-5.data", "data");
    const auto moved = moveToWastebasket(ops, folder / "run/step-1", places);
    const std::vector<fs::path> files{folder / "run/ckpt-5.index", folder / "run/ckpt-5.data"};
    const auto several = moveToWastebasket(ops, folder / "run/ckpt-5", files, places);
    ASSERT_TRUE(moved && several);
    EXPECT_TRUE(restoreFromWastebasket(ops, *moved, folder / "run/step-1"));
    EXPECT_TRUE(restoreFromWastebasket(ops, *several, files));
    EXPECT_EQ(test::readText(folder / "run/step-1/a.pt"), "one");
    EXPECT_EQ(test::readText(files[0]) + test::readText(files[1]), "indexdata");
    EXPECT_TRUE(fs::is_empty(places.home / "files"));
    EXPECT_TRUE(fs::is_empty(places.home / "info"));
    const auto again = restoreFromWastebasket(ops, *moved, folder / "run/step-2");
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::NotFound);
}

TEST(WastebasketRestore, NeverReplacesAnything) {
    const TemporaryFolder folder;
    const WastebasketPlaces places = placesIn(folder);
    RealFileOps ops;
    const auto file = folder.write("run/step-1.pt", "old");
    const std::vector<fs::path> files{folder.write("run/c.index", "index"),
                                      folder.write("run/c.data", "data")};
    const auto moved = moveToWastebasket(ops, file, places);
    const auto several = moveToWastebasket(ops, folder / "run/c", files, places);
    ASSERT_TRUE(moved && several);
    folder.write("run/step-1.pt", "new");
    folder.write("run/c.index", "new");
    const auto one = restoreFromWastebasket(ops, *moved, file);
    const auto two = restoreFromWastebasket(ops, *several, files);
    ASSERT_FALSE(one);
    ASSERT_FALSE(two);
    EXPECT_EQ(one.error().code, ErrorCode::OutputExists);
    EXPECT_EQ(two.error().code, ErrorCode::OutputExists);
    EXPECT_EQ(test::readText(file), "new");
    EXPECT_EQ(test::readText(*moved), "old");
    EXPECT_EQ(test::readText(*several / "c.data"), "data") << "put back";
    EXPECT_FALSE(fs::exists(files[1]));
    EXPECT_TRUE(orphansIn(places.home).empty());
}

TEST(WastebasketRestore, AFaultAtAnyCallLosesNothing) {
    for (const bool several : {false, true}) {
        for (const bool forEver : {false, true}) {
            for (std::uint64_t at = 0; at < 20; ++at) {
                const TemporaryFolder folder;
                const WastebasketPlaces places = placesIn(folder);
                const std::vector<fs::path> files{folder.write("run/c.index", "index"),
                                                  folder.write("run/c.data", "data")};
                RealFileOps real;
                const auto entry = several
                                       ? moveToWastebasket(real, folder / "run/c", files, places)
                                       : moveToWastebasket(real, files[0], places);
                ASSERT_TRUE(entry);
                FaultFileOps ops(real,
                                 {.at = at, .fromThenOn = forEver, .errnoValue = EIO, .only = {}});
                const auto back = several ? restoreFromWastebasket(ops, *entry, files)
                                          : restoreFromWastebasket(ops, *entry, files[0]);
                std::map<std::string, std::string> found;
                for (const auto& each : fs::recursive_directory_iterator(folder.path())) {
                    if (each.is_regular_file() && each.path().extension() != ".trashinfo") {
                        found[each.path().filename()] += test::readText(each.path());
                    }
                }
                const std::string where = std::to_string(at) + (several ? " several" : "");
                EXPECT_EQ(found.size(), 2U) << where;
                EXPECT_EQ(found["c.data"], "data") << where;
                EXPECT_EQ(found["c.index"], "index") << where;
                EXPECT_TRUE(orphansIn(places.home).empty()) << where;
                EXPECT_EQ(back.has_value(), fs::exists(files[0])) << where;
            }
        }
    }
}

/// A mount that is not the home's wastebasket's; skipped if there is none.
class OtherMount : public ::testing::Test {
protected:
    void SetUp() override {
        struct stat here {};
        struct stat other {};
        if (::stat("/dev/shm", &other) != 0 || ::access("/dev/shm", W_OK) != 0 ||
            ::stat(m_home.path().c_str(), &here) != 0 || here.st_dev == other.st_dev) {
            GTEST_SKIP() << "no second file system to write to";
        }
        if (::getuid() != 0) {
            GTEST_SKIP() << "prepares what belongs to others";
        }
        m_scratch.write("step-1.pt", "data");
    }
    void TearDown() override { fs::remove_all(m_trash); }

    TemporaryFolder m_home;
    TemporaryFolder m_scratch{TemporaryFolder::Where::Memory};
    const fs::path& m_folder = m_scratch.path();
    std::uint64_t m_user = 54321; ///< no user with a wastebasket has this number
    fs::path m_trash = "/dev/shm/.Trash-54321";
};

TEST_F(OtherMount, WhatOthersPreparedIsNotUsed) {
    WastebasketPlaces places = placesIn(m_home);
    places.user = m_user; // the folders made here belong to another user, the caller
    RealFileOps ops;
    fs::create_directory(m_trash);
    const auto foreign = moveToWastebasket(ops, m_folder / "step-1.pt", places);
    ASSERT_FALSE(foreign);
    EXPECT_EQ(foreign.error().code, ErrorCode::PermissionDenied);
    ASSERT_EQ(::chown(m_trash.c_str(), 54321, 54321), 0);
    fs::permissions(m_trash, fs::perms::all);
    EXPECT_FALSE(moveToWastebasket(ops, m_folder / "step-1.pt", places))
        << "everybody can write to it";
    fs::remove(m_trash);
    fs::create_directory_symlink(m_folder, m_trash);
    EXPECT_FALSE(moveToWastebasket(ops, m_folder / "step-1.pt", places)) << "a link";
    EXPECT_TRUE(fs::exists(m_folder / "step-1.pt"));
    EXPECT_FALSE(fs::exists(m_folder / "files"));
}

TEST_F(OtherMount, APrivateOneIsUsedAndPathsAreRelativeToIt) {
    WastebasketPlaces places = placesIn(m_home);
    places.user = m_user;
    RealFileOps ops;
    fs::create_directory(m_trash);
    fs::permissions(m_trash, fs::perms::owner_all);
    ASSERT_EQ(::chown(m_trash.c_str(), 54321, 54321), 0);
    const auto to = moveToWastebasket(ops, m_folder / "step-1.pt", places);
    ASSERT_TRUE(to) << describe(to.error());
    EXPECT_EQ(*to, m_trash / "files/step-1.pt");
    const std::string info = test::readText(m_trash / "info/step-1.pt.trashinfo");
    EXPECT_TRUE(
        info.starts_with("[Trash Info]\nPath=" + m_folder.filename().string() + "/step-1.pt\n"))
        << info;
}

TEST(RetentionApply, WhatChangedSinceStays) {
    const TemporaryFolder folder;
    for (const char* name : {"run/step-1/a.pt", "run/step-2/a.pt"}) {
        folder.write(name, "data");
        folder.age(name, 7200);
    }
    RetentionPlan plan;
    plan.remove.push_back({{folder.path() / "run/step-1", "", 4},
                           4,
                           "",
                           listSavedFiles(folder.path() / "run/step-1"),
                           folder.path() / "run/step-2",
                           listSavedFiles(folder.path() / "run/step-2")});
    RealFileOps ops;
    for (const char* name :
         {"run/step-1/a.pt", "run/step-2/a.pt", "run/step-1/b.pt", "run/step-2/b.pt"}) {
        const bool isNew = !fs::exists(folder.path() / name);
        folder.write(name, "atad");
        const auto moved = applyRetention(ops, plan, placesIn(folder));
        ASSERT_EQ(moved.size(), 1U);
        ASSERT_FALSE(moved[0]) << name;
        EXPECT_EQ(moved[0].error().code, ErrorCode::ChangedOnDisk);
        if (isNew) {
            fs::remove(folder.path() / name);
        }
        folder.age(name[9] == '1' ? "run/step-1/a.pt" : "run/step-2/a.pt", 7200);
        plan.remove[0].files = listSavedFiles(folder.path() / "run/step-1");
        plan.remove[0].supersededByFiles = listSavedFiles(folder.path() / "run/step-2");
    }
    EXPECT_TRUE(applyRetention(ops, plan, placesIn(folder))[0]);
    EXPECT_FALSE(fs::exists(folder.path() / "run/step-1"));
}

TEST(RetentionApply, AnUndoneRemovalIsTheSameAgain) {
    const TemporaryFolder folder;
    const WastebasketPlaces places = placesIn(folder);
    RealFileOps ops;
    for (const char* name : {"run/step-1/a.pt", "run/step-2/a.pt"}) {
        folder.write(name, "data");
        folder.age(name, 7200);
    }
    RetentionPlan plan;
    RetentionPlan::Removal removal;
    removal.path = folder / "run/step-1";
    removal.files = listSavedFiles(removal.path);
    removal.supersededBy = folder / "run/step-2";
    removal.supersededByFiles = listSavedFiles(removal.supersededBy);
    plan.remove.push_back(removal);
    const auto moved = applyRetention(ops, plan, places);
    ASSERT_TRUE(moved[0]);
    EXPECT_TRUE(undoRemoval(ops, removal, *moved[0]));
    EXPECT_EQ(listSavedFiles(removal.path), removal.files);
    // Another program has emptied the wastebasket and put something else there.
    const auto again = applyRetention(ops, plan, places);
    ASSERT_TRUE(again[0]);
    fs::remove_all(*again[0]);
    fs::create_directories(*again[0]);
    const auto foreign = undoRemoval(ops, removal, *again[0]);
    ASSERT_FALSE(foreign);
    EXPECT_EQ(foreign.error().code, ErrorCode::ChangedOnDisk);
    EXPECT_FALSE(fs::exists(removal.path));
}

} // namespace
} // namespace cairn
