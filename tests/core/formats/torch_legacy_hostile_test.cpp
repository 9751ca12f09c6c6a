// SPDX-License-Identifier: Apache-2.0
// Damaged and malicious files of torch's legacy format.
#include "tests/core/formats/torch_hostile_fixture.h"

namespace cairn::test::hostile {
namespace {

std::string header(std::string_view magic = "\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19") {
    return "\x80\x02" + std::string(magic) + ".\x80\x02M\xe9\x03.\x80\x02}.";
}

std::string keys(std::string_view key = "0") {
    return A().proto(2).op(']').text(key).op('a').stop().str();
}

std::string count(std::int64_t value) {
    return A().little(value).str();
}

ErrorCode legacyFailure(const std::string& text) {
    return failure(text, formats::torch_legacy::kFormat);
}

void expectLegacyDamage(const std::string& text, ErrorCode code) {
    expectDamage(text, code, formats::torch_legacy::kFormat);
}

TEST(TorchLegacyHostile, Headers) {
    const std::string data = count(6) + std::string(24, 'x');
    const auto good =
        openText(header() + pickled() + keys() + data, formats::torch_legacy::kFormat);
    ASSERT_TRUE(good) << describe(good.error());
    EXPECT_TRUE((*good)->notices().empty()) << noticesText(**good);
    EXPECT_EQ(legacyFailure("\x80\x02K\x05." + pickled()), ErrorCode::TorchBadHeader);
    EXPECT_EQ(legacyFailure(header().substr(0, 15) + "\x80\x02K\x07." + pickled()),
              ErrorCode::TorchBadHeader);
    EXPECT_EQ(legacyFailure(header().substr(0, 21) + "\x80\x02N." + pickled()),
              ErrorCode::TorchBadHeader);
    EXPECT_EQ(legacyFailure(header() + pickled() + "\x80\x02N." + data), ErrorCode::TorchBadHeader);
    EXPECT_EQ(legacyFailure(header() + pickled() + "\x80\x02]K\x01a." + data),
              ErrorCode::TorchBadHeader);
    EXPECT_EQ(legacyFailure(header() + pickled()), ErrorCode::PickleTruncated);
    EXPECT_EQ(legacyFailure(header()), ErrorCode::PickleTruncated);
}

TEST(TorchLegacyHostile, Storages) {
    const std::string front = header() + pickled();
    expectLegacyDamage(front + keys(), ErrorCode::Truncated);
    expectLegacyDamage(front + keys() + "1234", ErrorCode::Truncated);
    expectLegacyDamage(front + keys() + count(6) + std::string(23, 'x'),
                       ErrorCode::TorchStorageTooSmall);
    expectLegacyDamage(front + keys() + count(-1) + std::string(24, 'x'), ErrorCode::Truncated);
    expectLegacyDamage(front + keys() + count(INT64_MAX) + std::string(24, 'x'),
                       ErrorCode::Truncated);
    expectLegacyDamage(front + keys("1") + count(6) + std::string(24, 'x'),
                       ErrorCode::TorchBadHeader);
    // A storage that claims more bytes than the file has: the bytes that are present can be read.
    const auto partial = openText(front + keys() + count(INT64_MAX / 4) + std::string(24, 'x'),
                                  formats::torch_legacy::kFormat);
    ASSERT_TRUE(partial);
    EXPECT_TRUE(hasNotice(**partial, ErrorCode::Truncated));
    EXPECT_EQ((*partial)->completeness(), Completeness::Incomplete);
    EXPECT_EQ((*partial)->tensors().front().pieces.size(), 1U);
    const auto longer =
        openText(front + keys() + count(6) + std::string(30, 'x'), formats::torch_legacy::kFormat);
    ASSERT_TRUE(longer);
    EXPECT_TRUE(hasNotice(**longer, ErrorCode::StrayFile));
}

TEST(TorchLegacyHostile, EveryTruncationFailsOrSaysSo) {
    const std::string whole = header() + pickled() + keys() + count(6) + std::string(24, 'x');
    for (std::size_t length = 1; length < whole.size(); ++length) {
        const auto checkpoint = openText(whole.substr(0, length), formats::torch_legacy::kFormat);
        EXPECT_TRUE(!checkpoint || (*checkpoint)->completeness() == Completeness::Incomplete)
            << length;
    }
}

} // namespace
} // namespace cairn::test::hostile
