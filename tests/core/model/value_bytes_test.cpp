// SPDX-License-Identifier: Apache-2.0
#include "core/model/value_bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cairn {
namespace {

Value everything() {
    const Value shared = Value::list({Value(std::int64_t{1}), Value(true)});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<ValueItem> items = {
        {Value("int"), Value(std::numeric_limits<std::int64_t>::min())},
        {Value("real"), Value(-0.0)},
        {Value("nan"), Value(nan)},
        {Value("inf"), Value(std::numeric_limits<double>::infinity())},
        {Value("text"), Value(std::string("a\0\xFF", 3))},
        {Value("big"), Value(BigInt{"-123456789012345678901234567890"})},
        {Value("bytes"), Value::bytes({std::byte{0}, std::byte{255}})},
        {Value("tensor"), Value(TensorIndex(7))},
        {Value("none"), Value()},
        {Value(std::int64_t{3}), shared},
        {Value(false), shared},
        {Value::container({ValueKind::Tuple, "", {{{}, Value("k")}}}), Value("tuple as key")},
        {Value("set"), Value::container({ValueKind::Set, "", {{{}, Value(2.5)}}})},
        {Value("empty"), Value::dict({}, "collections.OrderedDict")},
        {Value("object"), Value::object("a.B", {{Value("x"), shared}})}};
    return Value::dict(std::move(items));
}

TEST(ValueBytes, ComeBackTheSameWithWhatIsShared) {
    const auto bytes = valueToBytes(everything());
    ASSERT_TRUE(bytes);
    const auto back = valueFromBytes(*bytes, 8);
    ASSERT_TRUE(back);
    EXPECT_EQ(*valueToBytes(*back), *bytes);
    const auto& items = back->items();
    ASSERT_EQ(items.size(), 15U);
    EXPECT_TRUE(std::signbit(*items[1].value.asFloat()));
    EXPECT_TRUE(std::isnan(*items[2].value.asFloat()));
    EXPECT_EQ(items[4].value.asString()->size(), 3U);
    EXPECT_EQ(items[9].value.identity(), items[10].value.identity());
    EXPECT_EQ(items[11].key.kind(), ValueKind::Tuple);
    EXPECT_EQ(items[13].value.asNode()->className, "collections.OrderedDict");
    EXPECT_EQ(items[14].value.find("x")->identity(), items[9].value.identity());
}

TEST(ValueBytes, PlainRootsNeedNoContainer) {
    for (const Value& value : {Value(), Value(std::int64_t{5}), Value("x")}) {
        const auto back = valueFromBytes(*valueToBytes(value), 0);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->kind(), value.kind());
    }
}

TEST(ValueBytes, DeepTreesAreWrittenWithoutRecursion) {
    Value value;
    for (int i = 0; i < Value::kMaxDepth; ++i) {
        value = Value::list({value});
    }
    const auto bytes = valueToBytes(value);
    ASSERT_TRUE(bytes);
    EXPECT_TRUE(valueFromBytes(*bytes, 0));
    const auto deeper = valueFromBytes(*valueToBytes(Value::list({value})), 0);
    ASSERT_FALSE(deeper);
    EXPECT_EQ(deeper.error().code, ErrorCode::LimitExceeded);
}

TEST(ValueBytes, EveryShorteningIsRefused) {
    const auto bytes = *valueToBytes(everything());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(valueFromBytes(std::span(bytes).first(size), 8)) << size;
    }
    EXPECT_FALSE(valueFromBytes(bytes, 7)); // one tensor too few
}

} // namespace
} // namespace cairn
