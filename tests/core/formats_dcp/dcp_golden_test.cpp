// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/model/coverage.h"
#include "core/model/tensor_reader.h"
#include "tests/core/formats_dcp/dcp_builder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// Folders that torch wrote with four ranks (tests/data/dcp/generate.py), compared with what torch
// loads, element by element and value by value.

namespace cairn {
namespace {

/// Length of the item of 0.weight in `quantised`.
constexpr std::uint64_t kFirstItem = 4577;

std::filesystem::path goldens() {
    return std::filesystem::path(CAIRN_TEST_DATA) / "dcp";
}

std::vector<std::string> splitTabs(const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream in(line);
    for (std::string part; std::getline(in, part, '\t');) {
        parts.push_back(part);
    }
    return parts;
}

std::string hexOf(const std::vector<std::byte>& bytes) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
        text += kDigits[std::to_integer<std::size_t>(byte & std::byte{15})];
    }
    return text;
}

std::string shapeText(const Shape& shape) {
    std::string text;
    for (const std::int64_t extent : shape.span()) {
        text += (text.empty() ? "" : ",") + std::to_string(extent);
    }
    return text.empty() ? "-" : text;
}

void expectTensor(const Checkpoint& checkpoint, const std::vector<std::string>& line) {
    const auto index = checkpoint.find(line[1]);
    ASSERT_TRUE(index) << line[1] << " is missing";
    const TensorEntry& tensor = checkpoint.tensor(*index);
    EXPECT_EQ(dtypeName(tensor.dtype), line[2]) << line[1];
    EXPECT_EQ(shapeText(tensor.shape), line[3]) << line[1];
    const auto bytes = readComplete(checkpoint, tensor, 1 << 20);
    ASSERT_TRUE(bytes) << line[1] << ": " << describe(bytes.error());
    EXPECT_EQ(hexOf(*bytes), line.size() > 4 ? line[4] : "") << line[1];
    EXPECT_TRUE(coverage(tensor).complete()) << line[1];
}

/// The value whose keys, joined with dots, are `path`; keys may contain dots themselves.
const Value* findDotted(const Value& value, std::string_view path) {
    if (path.empty()) {
        return &value;
    }
    std::int64_t position = 0;
    const bool list = value.kind() == ValueKind::List || value.kind() == ValueKind::Tuple;
    for (const ValueItem& item : value.items()) {
        const std::string key = list ? std::to_string(position++) : keyText(item.key);
        if (path == key) {
            return &item.value;
        }
        if (path.starts_with(key) && path[key.size()] == '.') {
            if (const Value* found = findDotted(item.value, path.substr(key.size() + 1))) {
                return found;
            }
        }
    }
    return nullptr;
}

void expectValue(const Value& values, const std::vector<std::string>& line) {
    const Value* value = findDotted(values, line[1]);
    ASSERT_NE(value, nullptr) << line[1];
    const std::string& kind = line[2];
    const std::string text = line.size() > 3 ? line[3] : "";
    if (kind == "int") {
        const BigInt* big = value->asBigInt();
        ASSERT_TRUE(big != nullptr || value->asInt() != nullptr) << line[1];
        EXPECT_EQ(big != nullptr ? big->digits : std::to_string(*value->asInt()), text) << line[1];
    } else if (kind == "float") {
        ASSERT_NE(value->asFloat(), nullptr) << line[1];
        const double expected = std::stod(text);
        EXPECT_TRUE(*value->asFloat() == expected ||
                    (expected != expected && *value->asFloat() != *value->asFloat()))
            << line[1];
    } else if (kind == "bool") {
        ASSERT_NE(value->asBool(), nullptr) << line[1];
        EXPECT_EQ(*value->asBool(), text == "True") << line[1];
    } else if (kind == "str") {
        ASSERT_NE(value->asString(), nullptr) << line[1];
        EXPECT_EQ(*value->asString(), text) << line[1];
    } else {
        EXPECT_EQ(value->kind(), ValueKind::Null) << line[1];
    }
}

class DcpGolden : public testing::TestWithParam<const char*> {};

TEST_P(DcpGolden, EqualsWhatTorchLoads) {
    const auto opened = openCheckpoint(goldens() / GetParam());
    ASSERT_TRUE(opened) << describe(opened.error());
    const Checkpoint& checkpoint = **opened;
    EXPECT_EQ(checkpoint.completeness(), Completeness::Complete);
    EXPECT_TRUE(checkpoint.why().empty());
    EXPECT_EQ(checkpoint.data().worldSize, 4);
    const auto values = checkpoint.values();
    ASSERT_TRUE(values) << describe(values.error());
    std::ifstream oracle(goldens() / (std::string(GetParam()) + ".oracle"));
    std::size_t tensors = 0;
    for (std::string text; std::getline(oracle, text);) {
        const auto line = splitTabs(text);
        if (line[0] == "T") {
            expectTensor(checkpoint, line);
            ++tensors;
        } else {
            expectValue(*values, line);
        }
    }
    EXPECT_GE(tensors, 2U);
    EXPECT_EQ(checkpoint.tensors().size(), tensors);
    for (const Notice& notice :
         checkpoint.notices()) { // a fresh clone of the repository changes the files' times
        EXPECT_EQ(notice.error.code, ErrorCode::NewerThanIndex) << describe(notice.error);
    }
}

INSTANTIATE_TEST_SUITE_P(All, DcpGolden,
                         testing::Values("plain", "old_names", "zstd", "safetensors", "each_rank",
                                         "unflattened", "lightning.ckpt"),
                         [](const auto& row) {
                             const std::string name = row.param;
                             return name.substr(0, name.find('.'));
                         });

TEST(DcpGoldenFacts, QuantisedTensorsAreTheirParts) {
    const auto opened = openCheckpoint(goldens() / "quantised");
    ASSERT_TRUE(opened) << describe(opened.error());
    const Checkpoint& checkpoint = **opened;
    EXPECT_EQ(checkpoint.completeness(), Completeness::Complete);
    std::ifstream oracle(goldens() / "quantised.oracle");
    std::vector<std::string> names;
    for (std::string text; std::getline(oracle, text);) {
        const auto line = splitTabs(text);
        expectTensor(checkpoint, line);
        names.push_back(line[1]);
    }
    ASSERT_EQ(checkpoint.tensors().size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) { // in the order of the state dict
        EXPECT_EQ(checkpoint.tensors()[i].name, names[i]);
        EXPECT_EQ(checkpoint.tensors()[i].role, Role::Weight) << names[i];
    }
    const auto values = checkpoint.values();
    ASSERT_TRUE(values) << describe(values.error());
    const Value* weight = findDotted(*values, "0.weight");
    ASSERT_NE(weight, nullptr);
    EXPECT_EQ(weight->asNode()->className, "torchao.quantization.Int8Tensor");
    const auto nameAt = [&](std::string_view path) {
        const Value* value = findDotted(*values, path);
        const TensorIndex* index = value == nullptr ? nullptr : value->asTensor();
        return index == nullptr ? std::string() : checkpoint.tensor(*index).name;
    };
    EXPECT_EQ(nameAt("0.weight.scale"), "0.weight.scale");
    EXPECT_EQ(nameAt("0.bias"), "0.bias");
    EXPECT_EQ(nameAt("3.weight"), "3.weight");
}

/// How two chunks fit together is defined by the tensor's class. The index must not call a tensor
/// complete that nothing can read.
TEST(DcpGoldenFacts, ChunksOfQuantisedTensorsAreRefused) {
    std::ifstream shard(goldens() / "quantised/__0_0.distcp", std::ios::binary);
    std::stringstream content;
    content << shard.rdbuf();
    const auto item = static_cast<std::int64_t>(kFirstItem);
    test::IndexSpec index;
    index.tensors = {
        {"cut",
         {64, 64},
         {{{0, 0}, {32, 64}, "__0_0.distcp", 0, item, {}},
          {{32, 0}, {32, 64}, "__0_0.distcp", 0, item, {}}},
         "bfloat16"},
        {"whole", {32, 64}, {{{0, 0}, {32, 64}, "__0_0.distcp", 0, item, {}}}, "bfloat16"}};
    index.planner = {{"cut", {"cut"}}, {"whole", {"whole"}}};
    const test::TemporaryFolder folder;
    folder.write("__0_0.distcp", content.str());
    folder.write(".metadata", test::IndexWriter().write(index));
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened) << describe(opened.error());
    const Checkpoint& checkpoint = **opened;
    EXPECT_EQ(checkpoint.completeness(), Completeness::Incomplete);
    EXPECT_EQ(checkpoint.why().size(), 1U);
    EXPECT_EQ(checkpoint.tensors().size(), 3U);
    EXPECT_TRUE(checkpoint.find("whole.qdata"));
    EXPECT_FALSE(checkpoint.find("cut"));
    ASSERT_EQ(checkpoint.notices().size(), 1U);
    const Error& error = checkpoint.notices()[0].error;
    EXPECT_EQ(error.where.tensor, "cut");
    EXPECT_EQ(error.found.text(), "torchao.quantization.Int8Tensor");
    EXPECT_FALSE(error.hint.empty());
    EXPECT_TRUE(checkpoint.values());
}

TEST(DcpGoldenFacts, LightningKeepsMetaAtTheTop) {
    const auto opened = openCheckpoint(goldens() / "lightning.ckpt");
    ASSERT_TRUE(opened);
    EXPECT_EQ((*opened)->framework(), "lightning");
    const auto values = (*opened)->values();
    ASSERT_TRUE(values);
    ASSERT_NE(values->find("global_step"), nullptr);
    EXPECT_EQ(*values->find("global_step")->asInt(), 24);
    ASSERT_NE(values->findPath({"model", "w"}), nullptr);
    EXPECT_NE(values->findPath({"model", "w"})->asTensor(), nullptr);
}

TEST(DcpGoldenFacts, RolesAndFrameworkFollowTheNames) {
    const auto opened = openCheckpoint(goldens() / "plain");
    ASSERT_TRUE(opened);
    const Checkpoint& checkpoint = **opened;
    EXPECT_EQ(checkpoint.framework(), "torch");
    EXPECT_EQ(checkpoint.tensor(*checkpoint.find("model.rows.weight")).role, Role::Weight);
    EXPECT_EQ(checkpoint.tensor(*checkpoint.find("optimizer.state.rows.weight.exp_avg")).role,
              Role::Optimizer);
    EXPECT_EQ(checkpoint.tensor(*checkpoint.find("model.rows.weight")).pieces.size(), 4U);
    EXPECT_EQ(checkpoint.tensor(*checkpoint.find("model.few.weight")).pieces.size(), 2U);
}

TEST(DcpGoldenFacts, StoredChecksumsAreOfTheElements) {
    const auto opened = openCheckpoint(goldens() / "plain");
    ASSERT_TRUE(opened);
    const TensorEntry& tensor = (*opened)->tensor(*(*opened)->find("model.rows.weight"));
    const auto located = (*opened)->locate(tensor, tensor.pieces[0]);
    ASSERT_TRUE(located);
    EXPECT_TRUE(located->crc32);
    EXPECT_GE(located->crcRange.length, located->bytes.length);
    EXPECT_EQ((*opened)->codecName(tensor.pieces[0].codec), "torch.save");
}

TEST(DcpGoldenFacts, AMemberOpensItsFolder) {
    const auto index = openCheckpoint(goldens() / "plain" / ".metadata");
    ASSERT_TRUE(index) << describe(index.error());
    const auto shard = openCheckpoint(goldens() / "plain" / "__1_0.distcp");
    ASSERT_TRUE(shard) << describe(shard.error());
    EXPECT_EQ((*index)->tensors().size(), (*shard)->tensors().size());
    EXPECT_EQ((*shard)->path(), goldens() / "plain");
}

} // namespace
} // namespace cairn
