// SPDX-License-Identifier: Apache-2.0
#include "core/base/byte_units.h"
#include "core/base/visible_text.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(VisibleText, KeepsOrdinaryTextOfAnyScript) {
    EXPECT_EQ(visibleText("größe 重み q_proj"), "größe 重み q_proj");
}

TEST(VisibleText, ShowsControlBidiAndZeroWidth) {
    EXPECT_EQ(visibleText("a\x1b[2Jb"), "a\\x1b[2Jb");
    EXPECT_EQ(visibleText("a\u202Eb"), "a\\u202eb");
    EXPECT_EQ(visibleText("a\u200Bb"), "a\\u200bb");
    EXPECT_EQ(visibleText(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(visibleText("a\u009Bb"), "a\\x9bb");
}

TEST(VisibleText, ShowsInvalidUtf8ByteByByte) {
    EXPECT_EQ(visibleText("\xff"), "\\xff");
    EXPECT_EQ(visibleText("\xc0\x80"), "\\xc0\\x80");          // overlong NUL
    EXPECT_EQ(visibleText("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // surrogate
    EXPECT_EQ(visibleText("\xe2\x82"), "\\xe2\\x82");          // cut off
}

TEST(VisibleText, ElidesTheMiddleAtCharacterBorders) {
    EXPECT_EQ(elideMiddle("short", 10), "short");
    EXPECT_EQ(elideMiddle("model.layers.0.q_proj", 12), "model…q_proj");
    EXPECT_TRUE(isValidUtf8(elideMiddle("ääääääääääääääääääää", 11)));
}

TEST(VisibleText, FormatsBytesInDecimalUnits) {
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(999), "999 B");
    EXPECT_EQ(formatBytes(1536), "1.54 kB");
    EXPECT_EQ(formatBytes(16'100'000'000), "16.1 GB");
    EXPECT_EQ(formatBytes(999'999), "1.00 MB");
}

TEST(VisibleText, FormatsBytesInBinaryUnits) {
    setByteUnits(ByteUnits::Binary);
    EXPECT_EQ(formatBytes(1000), "1000 B");
    EXPECT_EQ(formatBytes(1024), "1.00 KiB");
    EXPECT_EQ(formatBytes(1536), "1.50 KiB");
    EXPECT_EQ(formatBytes(16'100'000'000), "15.0 GiB");
    EXPECT_EQ(formatBytes(1024 * 1024 - 1), "1.00 MiB");
    setByteUnits(ByteUnits::Decimal);
    EXPECT_EQ(formatBytes(1024), "1.02 kB");
}

} // namespace
} // namespace cairn
