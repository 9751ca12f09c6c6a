// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/hdf5/confine.h"
#include "core/codec/hdf5/file_layout.h"
#include "core/codec/hdf5/hdf5_index.h"
#include "core/codec/hdf5/index_process.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace cairn::hdf5 {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto bytes = asBytes(text);
    return {bytes.begin(), bytes.end()};
}

/// What a sandboxed process that runs `work` writes, and its exit status.
template <class Work> std::pair<std::string, int> confined(Work work) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        if (!confine(4096)) {
            ::_exit(100);
        }
        work();
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string text;
    std::array<char, 256> buffer{};
    for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return {text, status};
}

// Builds whose memory does not fit into the limits. GCC and clang announce sanitizers differently.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

TEST(Hdf5Process, MaySortManyThings) {
    if (kSanitized) {
        GTEST_SKIP() << "a sanitizer needs more memory than is allowed";
    }
    const auto [text, status] = confined([] {
        constexpr std::size_t kMany = 100'000; // more than qsort() sorts on the stack
        auto* numbers = static_cast<std::uint64_t*>(std::calloc(kMany, sizeof(std::uint64_t)));
        numbers[0] = 1;
        std::qsort(numbers, kMany, sizeof *numbers, [](const void* a, const void* b) {
            const auto left = *static_cast<const std::uint64_t*>(a);
            const auto right = *static_cast<const std::uint64_t*>(b);
            return left < right ? -1 : left > right ? 1 : 0;
        });
        ::_exit(numbers[kMany - 1] == 1 ? 0 : 101);
    });
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text << status;
}

TEST(Hdf5Process, WhatItMayNotIsNotMadeAndNamed) {
    if (kSanitized) {
        GTEST_SKIP() << "a sanitizer needs more memory than is allowed";
    }
    const auto [text, status] = confined([] { ::socket(AF_INET, SOCK_STREAM, 0); });
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == kRefusedCall) << status;
    EXPECT_EQ(text, "\n" + std::to_string(SYS_socket));
    const auto [none, opened] = confined([] { ::open("/etc/hostname", O_RDONLY); });
    EXPECT_EQ(WEXITSTATUS(opened), kRefusedCall);
}

TEST(Hdf5Process, TheErrorSaysWhichCallWasRefused) {
    const test::TemporaryFolder folder;
    const fs::path program =
        folder.write("program", "#!/bin/sh\nprintf '{\"half\": \\n41'; exit 6\n");
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("CAIRN_HDF5_INDEX", program.c_str(), 1);
    const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const auto answer = runIndexProcess(file, {0, 0}, "a.h5", {});
    ::close(file);
    ::unsetenv("CAIRN_HDF5_INDEX");
    ASSERT_FALSE(answer);
    EXPECT_NE(describe(answer.error()).find("system call 41"), std::string::npos)
        << describe(answer.error());
}

TEST(Hdf5Layout, WrongAnswersAreRefused) {
    const std::vector<NewDataset> datasets = {{"a", "float32", {512}, 2048},
                                              {"b", "float32", {1}, 4}};
    const std::string page(4096, 'p');
    const auto code = [&](const std::string& text) {
        const auto layout = readAnswer(text, datasets);
        return layout ? ErrorCode::Internal : layout.error().code;
    };
    const std::string places = "dataset 2048\ndataset 4096\n";
    const auto layout = readAnswer(
        places + "size 8192\npage 0\n" + page + "page 4096\n" + page + "end\n", datasets);
    ASSERT_TRUE(layout) << describe(layout.error());
    EXPECT_EQ(layout->size, 8192U);
    ASSERT_EQ(layout->literals.size(), 2U);
    EXPECT_EQ(layout->literals.at(0).size(), 2048U);
    EXPECT_EQ(layout->literals.at(4100).size(), 4092U);
    for (const std::string& text :
         {std::string(), std::string(100, '\0'), std::string("size 8192\nend\n"),
          "dataset 2048\nsize 8192\nend\n" + std::string(), places + "end\n",
          places + "size 8192\n", places + "size 8192\nend\nmore", places + "size 4096\nend\n",
          std::string("dataset 4094\ndataset 4096\nsize 8192\nend\n"),
          std::string("dataset 18446744073709551600\ndataset 4096\nsize 8192\nend\n"),
          places + "size 8192\npage 1\n" + page + "end\n",
          places + "size 8192\npage 0\n" + page.substr(1), places + "size -1\nend\n",
          places + "size 99999999999999999999999\nend\n"}) {
        EXPECT_EQ(code(text), ErrorCode::Hdf5Unreadable) << text.substr(0, 60);
    }
    EXPECT_EQ(code(places + "size 18446744073709551615\nend\n"), ErrorCode::LimitExceeded);
    EXPECT_EQ(code(places + "size 8192\npage 18446744073709547520\n" + page + "end\n"),
              ErrorCode::Internal)
        << "a page after the end has no bytes of the file";
}

TEST(Hdf5Filters, LzfIsUnpacked) {
    // "abc", then seven bytes from three back, then a long run of 2 + 7 + 1 from one back
    const std::string packed("\x02"
                             "abc\xa0\x02\xe0\x01\x00",
                             9);
    const auto out = undoFilters(bytesOf(packed), {{32000, {}}}, 0, 20);
    ASSERT_TRUE(out) << describe(out.error());
    EXPECT_EQ(asText(*out), "abcabcabcaaaaaaaaaaa");
}

TEST(Hdf5Filters, DamagedLzfIsAnError) {
    using namespace std::string_view_literals;
    for (const std::string_view bad : {"\x05"
                                       "ab"sv,
                                       "\x00"
                                       "a\x20\x05"sv,
                                       "\x00"
                                       "a\x20"sv,
                                       "\x00"
                                       "a\xe0\x01"sv,
                                       "\x00"
                                       "a\xe0\xff\x00"sv}) {
        const auto out = undoFilters(bytesOf(bad), {{32000, {}}}, 0, 10);
        ASSERT_FALSE(out);
        EXPECT_EQ(out.error().code, ErrorCode::BadEncoding);
    }
}

} // namespace
} // namespace cairn::hdf5
