// SPDX-License-Identifier: Apache-2.0
#include "core/model/module_tree.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

namespace cairn {
namespace {

CheckpointPtr named(std::initializer_list<const char*> names) {
    CheckpointData data;
    for (const char* name : names) {
        data.tensors.push_back(synthetic::cutTensor(data, name, {2}, {Box::whole({2})}));
    }
    return Checkpoint::make(std::move(data));
}

TEST(ModuleTree, CutsAtDotsAndRollsUp) {
    const auto checkpoint = named({"a.b.w", "a.b.x", "a.c/d", "e"});
    const ModuleTree tree = buildModuleTree(*checkpoint);
    EXPECT_EQ(tree.separator, '.');
    ASSERT_NE(tree.find("a.b"), nullptr);
    EXPECT_EQ(tree.find("a.b")->tensors, 2U);
    EXPECT_EQ(tree.find("a")->tensors, 3U);
    EXPECT_TRUE(tree.find("a.c/d")->tensor);
    EXPECT_EQ(tree.root().tensors, 4U);
    EXPECT_EQ(tree.find("a.x"), nullptr);
}

TEST(ModuleTree, CutsAtSlashesWhereNamesHaveThem) {
    const auto checkpoint = named({"model/layer.0/kernel", "model/layer.1/kernel",
                                   "model/layer.10/kernel", "model/layer.2/kernel", "step"});
    const ModuleTree tree = buildModuleTree(*checkpoint);
    EXPECT_EQ(tree.separator, '/');
    const ModuleNode* model = tree.find("model");
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(model->tensors, 4U);
    std::vector<std::string> children;
    for (const ModuleNode& child : tree.children(*model)) {
        children.emplace_back(child.name);
    }
    EXPECT_EQ(children, (std::vector<std::string>{"layer.0", "layer.1", "layer.2", "layer.10"}));
    EXPECT_TRUE(tree.find("model/layer.10/kernel")->tensor);
    EXPECT_TRUE(tree.find("step")->tensor);
}

} // namespace
} // namespace cairn
