// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/zstd/zstd_source.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <random>

namespace cairn {
namespace {

constexpr std::uint64_t kMax = std::uint64_t{1} << 30U;

/// Frames as a streaming writer makes them: no content size.
std::string compressed(std::string_view text, int windowLog = 0) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    if (windowLog != 0) {
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog);
    }
    std::string out(ZSTD_compressBound(text.size()), '\0');
    ZSTD_inBuffer input{text.data(), text.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush);
    ZSTD_compressStream2(context, &output, &input, ZSTD_e_end);
    ZSTD_freeCCtx(context);
    out.resize(output.pos);
    return out;
}

ByteSourcePtr sourceOf(std::string_view bytes) {
    const auto span = asBytes(bytes);
    return makeMemorySource({span.begin(), span.end()}, "item.zst");
}

Result<std::string> everything(std::string_view bytes,
                               std::optional<std::uint64_t> declared = std::nullopt) {
    CAIRN_TRY(const ByteSourcePtr source, openZstd(sourceOf(bytes), declared, kMax, {}));
    CAIRN_TRY(const auto content, readRange(*source, {0, source->size()}));
    return std::string(asText(content));
}

std::string sampleText() {
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
        text += std::to_string(i * 31) + " ";
    }
    return text;
}

TEST(Zstd, DecodesFramesWithoutContentSize) {
    const std::string text = sampleText();
    EXPECT_EQ(everything(compressed(text)).value_or(""), text);
    EXPECT_EQ(everything(compressed(text), text.size()).value_or(""), text);
    EXPECT_EQ(everything(compressed("")).value_or("?"), "");
}

TEST(Zstd, JoinsFramesAndSkipsSkippableOnes) {
    const std::string skippable("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
    const std::string bytes = compressed("one") + skippable + compressed("two");
    EXPECT_EQ(everything(bytes).value_or(""), "onetwo");
    EXPECT_EQ(everything(skippable + compressed("x")).value_or(""), "x");
}

TEST(Zstd, ReadsAtAnyOffset) {
    const std::string text = sampleText();
    auto source = openZstd(sourceOf(compressed(text)), std::nullopt, kMax, {});
    ASSERT_TRUE(source);
    std::mt19937 random(1);
    for (int i = 0; i < 30; ++i) {
        const std::size_t offset = random() % text.size();
        const std::size_t length = std::min<std::size_t>(random() % 9000, text.size() - offset);
        std::string got(length, '\0');
        ASSERT_TRUE((*source)->readAt(offset, std::as_writable_bytes(std::span(got))));
        ASSERT_EQ(got, text.substr(offset, length));
    }
}

TEST(Zstd, RefusesDamage) {
    const std::string good = compressed(sampleText());
    EXPECT_EQ(everything("not zstd").error().code, ErrorCode::BadEncoding);
    EXPECT_EQ(everything("").error().code, ErrorCode::BadEncoding);
    EXPECT_EQ(everything(good.substr(0, good.size() / 2)).error().code, ErrorCode::Truncated);
    EXPECT_EQ(everything(good.substr(0, 5)).error().code, ErrorCode::Truncated);
    EXPECT_EQ(everything(good + "junk").error().code, ErrorCode::BadEncoding);
    EXPECT_EQ(everything(good, 10).error().code, ErrorCode::BadEncoding);
    EXPECT_EQ(everything(good, 10'000'000).error().code, ErrorCode::BadEncoding);
    EXPECT_EQ(everything(compressed(sampleText(), 28)).error().code, ErrorCode::BadEncoding);
}

TEST(Zstd, BoundsWhatTheDataGrowTo) {
    const std::string bomb = compressed(std::string(10'000'000, '\0'));
    EXPECT_EQ(openZstd(sourceOf(bomb), std::nullopt, 1'000'000, {}).error().code,
              ErrorCode::LimitExceeded);
    EXPECT_EQ(openZstd(sourceOf(bomb), 10'000'000, 1'000'000, {}).error().code,
              ErrorCode::LimitExceeded);
    const CancelToken cancelled;
    cancelled.cancel();
    EXPECT_EQ(openZstd(sourceOf(bomb), std::nullopt, kMax, cancelled).error().code,
              ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn
