// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace cairn {
namespace {

constexpr std::size_t kCodeCount = 0
#define CAIRN_COUNT(value, name, exitClass) +1
    CAIRN_ERROR_CODES(CAIRN_COUNT)
#undef CAIRN_COUNT
    ;

TEST(Error, NamesAreUniqueAndKebabCase) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kCodeCount; ++i) {
        const std::string_view name = errorName(static_cast<ErrorCode>(i));
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
                  std::string_view::npos)
            << name;
    }
}

TEST(Error, DescribesPlaceFoundExpectedAndWhatToDo) {
    const Error error = fail(ErrorCode::Truncated, "The header is cut off")
                            .inFile("a.pt")
                            .at(8)
                            .butFound("12 bytes")
                            .expecting("100 bytes")
                            .withHint("Copy it again");
    EXPECT_EQ(describe(error), "The header is cut off; file a.pt; offset 8; found 12 bytes; "
                               "expected 100 bytes; Copy it again");
}

TEST(Error, DescriptionMakesEscapesVisible) {
    EXPECT_EQ(describe(fail(ErrorCode::NotFound, "x").inTensor("a\x1b[31m\n")),
              "x; tensor a\\x1b[31m\\n");
}

Result<int> half(int number) {
    if (number % 2 != 0) {
        return fail(ErrorCode::InvalidArgument, "odd");
    }
    return number / 2;
}

Result<int> quarter(int number) {
    CAIRN_TRY(const int once, half(number));
    CAIRN_TRY(const int twice, half(once));
    return twice;
}

TEST(Result, TryPassesValuesAndErrorsOn) {
    EXPECT_EQ(quarter(12).value(), 3);
    EXPECT_EQ(quarter(6).error().code, ErrorCode::InvalidArgument);
}

TEST(Result, AndThenPassesValuesAndErrorsOn) {
    EXPECT_EQ(half(12).and_then(half).value(), 3);
    const Result<int> odd = half(6);
    EXPECT_EQ(odd.and_then(half).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(odd.and_then(half).and_then(half).error().message.text(), "odd");
    EXPECT_EQ(odd.value(), 3);
    Result<std::unique_ptr<int>> owned(std::make_unique<int>(8));
    EXPECT_EQ(
        std::move(owned).and_then([](std::unique_ptr<int> taken) { return half(*taken); }).value(),
        4);
}

} // namespace
} // namespace cairn
