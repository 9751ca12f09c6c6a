// SPDX-License-Identifier: Apache-2.0
#include "core/model/value.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

TEST(Value, FindsAlongPaths) {
    const Value root = Value::dict(
        {{"args", Value::dict({{"lr", 0.5}})}, {"list", Value::list({std::int64_t{7}, true})}});
    EXPECT_EQ(*root.findPath({"args", "lr"})->asFloat(), 0.5);
    EXPECT_EQ(*root.findPath({"list", "0"})->asInt(), 7);
    EXPECT_EQ(root.findPath({"list", "2"}), nullptr);
    EXPECT_EQ(root.findPath({"args", "lr", "deeper"}), nullptr);
}

TEST(Value, KeysAreWordedAsPythonWritesThem) {
    EXPECT_EQ(keyText(std::int64_t{3}), "3");
    EXPECT_EQ(keyText(true), "True");
    EXPECT_EQ(keyText(Value()), "None");
    EXPECT_EQ(keyText("a.b"), "a.b");
    EXPECT_EQ(keyText(2.5), "2.5");
    EXPECT_EQ(keyText(-3.0), "-3.0");
    EXPECT_EQ(keyText(1e+22), "1e+22");
}

Value bomb(int levels) {
    Value value = Value::list({std::int64_t{1}});
    for (int i = 0; i < levels; ++i) {
        value = Value::list({value, value});
    }
    return value;
}

TEST(Value, SharedNodesCostTheirNumberNotTheirExpansion) {
    const Value shared = bomb(60);
    EXPECT_EQ(expandedSize(shared, 1'000'000), 1'000'000U);
    const Value shifted = shiftTensors(shared, 5);
    EXPECT_EQ(shifted.items()[0].value.identity(), shifted.items()[1].value.identity());
}

TEST(Value, ShiftsTensorReferences) {
    const Value root = Value::dict({{"w", TensorIndex(2)}, {"n", std::int64_t{2}}});
    const Value shifted = shiftTensors(root, 10);
    EXPECT_EQ(shifted.find("w")->asTensor()->position(), 12U);
    EXPECT_EQ(*shifted.find("n")->asInt(), 2);
}

} // namespace
} // namespace cairn
