// SPDX-License-Identifier: Apache-2.0
#include "core/plan/selection.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

void addTensor(CheckpointData& data, const std::string& name, Role role) {
    TensorEntry tensor = synthetic::cutTensor(data, name, {4, 3}, synthetic::chunks({4, 3}, 0, 2));
    tensor.role = role;
    data.tensors.push_back(tensor);
}

TEST(RolesIn, CountsWhatIsThereInTheOrderOfRoles) {
    CheckpointData data;
    addTensor(data, "optimizer.a", Role::Optimizer);
    addTensor(data, "optimizer.b", Role::Optimizer);
    addTensor(data, "model.a", Role::Weight);
    addTensor(data, "model.b", Role::Weight);
    const std::uint64_t each = data.tensors.front().bytes();
    data.tensors.back().aliasOf = TensorIndex(2);
    const auto checkpoint = Checkpoint::make(std::move(data));

    const auto roles = rolesIn(*checkpoint, nullptr);
    ASSERT_EQ(roles.size(), 2U);
    EXPECT_EQ(roles[0].role, Role::Weight);
    EXPECT_EQ(roles[0].tensors, 2U);
    EXPECT_EQ(roles[0].bytes, each) << "a tied tensor is counted once";
    EXPECT_EQ(roles[1].role, Role::Optimizer);
    EXPECT_EQ(roles[1].bytes, 2 * each);
    EXPECT_FALSE(roles[1].values);
}

TEST(RolesIn, PlainValuesCountByTheirName) {
    CheckpointData data;
    addTensor(data, "model.a", Role::Weight);
    const auto checkpoint = Checkpoint::make(std::move(data));
    const Value values =
        Value::dict({{Value("lr_scheduler"), Value(3.0)},
                     {Value("epoch"), Value(std::int64_t{3})},
                     {Value("rng_state"), Value(TensorIndex(0))}}); // it has a role of its own

    const auto roles = rolesIn(*checkpoint, &values);
    ASSERT_EQ(roles.size(), 2U);
    EXPECT_EQ(roles[0].role, Role::Weight);
    EXPECT_EQ(roles[1].role, Role::Scheduler);
    EXPECT_EQ(roles[1].tensors, 0U);
    EXPECT_TRUE(roles[1].values);
}

} // namespace
} // namespace cairn
