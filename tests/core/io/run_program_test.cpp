// SPDX-License-Identifier: Apache-2.0
#include "core/io/run_program.h"

#include <gtest/gtest.h>

#include <csignal>

namespace cairn {
namespace {

TEST(RunProgram, PassesWordsAndInputAsTheyAre) {
    const auto done =
        runProgram({{"printf", "%s|", "", "a b", "$(id)", "'\"\\", "-x\ny"}, "ignored"});
    ASSERT_TRUE(done) << describe(done.error());
    EXPECT_EQ(done->output, "|a b|$(id)|'\"\\|-x\ny|");
    EXPECT_EQ(done->code, 0);
    const std::string large(300'000, 'x'); // more than a pipe holds
    EXPECT_EQ(runProgram({{"cat"}, large})->output, large);
    EXPECT_EQ(runProgram({{"true"}, large})->code, 0);
    EXPECT_EQ(runProgram({{"cat"}})->output, "");
}

TEST(RunProgram, ReportsItsEnd) {
    const auto failed = runProgram({{"sh", "-c", "echo a; echo b >&2; exit 7"}});
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->code, 7);
    EXPECT_EQ(failed->output, "a\n");
    EXPECT_EQ(failed->errors, "b\n");
    EXPECT_EQ(runProgram({{"sh", "-c", "kill -9 $$"}})->code, 128 + 9);
    ::signal(SIGPIPE, SIG_IGN); // as the program does; its children have the usual effect
    EXPECT_EQ(runProgram({{"sh", "-c", "kill -PIPE $$; exit 3"}})->code, 128 + SIGPIPE);
    ::signal(SIGPIPE, SIG_DFL);
}

TEST(RunProgram, FailsWithoutTheProgramOrInTime) {
    const auto missing = runProgram({{"cairn-has-no-such-program"}});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_EQ(runProgram({{"/etc/passwd"}}).error().code, ErrorCode::PermissionDenied);
    const auto slow = runProgram({{"sleep", "100"}, {}, std::chrono::seconds(0)});
    ASSERT_FALSE(slow);
    EXPECT_EQ(slow.error().code, ErrorCode::Io);
    const CancelToken cancel;
    cancel.cancel();
    EXPECT_EQ(runProgram({{"sleep", "100"}}, cancel).error().code, ErrorCode::Cancelled);
    EXPECT_EQ(runProgram({{"cat", "/dev/zero"}}).error().code, ErrorCode::LimitExceeded);
}

} // namespace
} // namespace cairn
