// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/abilities.h"
#include "core/analysis/fingerprint.h"
#include "core/analysis/health.h"
#include "core/analysis/statistics.h"
#include "core/analysis/tensor_pass.h"
#include "core/base/endian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn {
namespace {

std::vector<std::byte> floats(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    if (!values.empty()) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return bytes;
}

/// Checkpoints over bytes in memory.
class Maker {
public:
    Maker() { m_data.completeness = Completeness::Complete; }
    FileIndex file(std::vector<std::byte> bytes) {
        CheckpointFile file;
        file.path = "memory-" + std::to_string(m_data.files.size());
        file.identity.size = bytes.size();
        file.source = makeMemorySource(std::move(bytes), file.path);
        return m_data.addFile(std::move(file));
    }
    void tensor(const std::string& name, Shape shape, std::vector<Piece> pieces) {
        TensorEntry entry;
        entry.name = name;
        entry.shape = std::move(shape);
        entry.role = Role::Weight;
        entry.pieces = std::move(pieces);
        m_data.tensors.push_back(std::move(entry));
    }
    CheckpointData& data() { return m_data; }
    CheckpointPtr make() { return Checkpoint::make(std::move(m_data)); }

private:
    CheckpointData m_data;
};

Piece piece(FileIndex file, Box box, ByteRange bytes) {
    Piece result;
    result.box = std::move(box);
    result.file = file;
    result.bytes = bytes;
    return result;
}

CheckpointPtr oneTensor(const std::vector<float>& values) {
    Maker maker;
    const auto count = static_cast<std::int64_t>(values.size());
    const FileIndex file = maker.file(floats(values));
    maker.tensor("w", Shape{count},
                 {piece(file, Box::whole(Shape{count}), {0, values.size() * 4})});
    return maker.make();
}

constexpr std::string_view kLlama = R"({"architectures": ["LlamaForCausalLM"],
    "model_type": "llama", "hidden_size": 4, "intermediate_size": 8, "num_hidden_layers": 1,
    "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 2, "vocab_size": 6,
    "tie_word_embeddings": false})";

using Shapes = std::vector<std::pair<std::string, Shape>>;

Shapes llama(const std::string& prefix = {}) {
    const std::string layer = prefix + "model.layers.0.";
    return {{prefix + "model.embed_tokens.weight", {6, 4}},
            {layer + "self_attn.q_proj.weight", {4, 4}},
            {layer + "self_attn.k_proj.weight", {4, 4}},
            {layer + "self_attn.v_proj.weight", {4, 4}},
            {layer + "self_attn.o_proj.weight", {4, 4}},
            {layer + "mlp.gate_proj.weight", {8, 4}},
            {layer + "mlp.up_proj.weight", {8, 4}},
            {layer + "mlp.down_proj.weight", {4, 8}},
            {layer + "input_layernorm.weight", {4}},
            {layer + "post_attention_layernorm.weight", {4}},
            {prefix + "model.norm.weight", {4}},
            {prefix + "lm_head.weight", {6, 4}}};
}

CheckpointPtr modelOf(const Shapes& tensors) {
    Maker maker;
    for (const auto& [name, shape] : tensors) {
        maker.tensor(name, shape, {});
    }
    return maker.make();
}

ModelAnswer answerOf(const Shapes& tensors, std::string_view json = kLlama) {
    const auto config = ModelConfig::parse(json);
    EXPECT_TRUE(config);
    return modelFindings(*modelOf(tensors), {&*config, true}).answer;
}

TEST(ModelFindings, AnswerWhetherTheLoaderTakesTheTensors) {
    EXPECT_EQ(answerOf(llama()).answer, LoaderAnswer::All);
    EXPECT_TRUE(answerOf(llama()).note.empty());
    const ModelAnswer twice = answerOf(llama("model.")); // from_pretrained drops this one
    EXPECT_EQ(twice.answer, LoaderAnswer::All);
    EXPECT_FALSE(twice.note.empty());
    EXPECT_EQ(answerOf(llama("net.")).answer, LoaderAnswer::No);

    Shapes tensors = llama();
    tensors.emplace_back("value_head.weight", Shape{1, 4});
    EXPECT_EQ(answerOf(tensors).answer, LoaderAnswer::Part);
    EXPECT_EQ(answerOf(tensors).leftOut, std::vector<std::string>{"value_head.weight"});
    tensors = llama();
    tensors.back().first = "output.weight";
    EXPECT_EQ(answerOf(tensors).answer, LoaderAnswer::Undecided);
    tensors.back().second = Shape{5, 4};
    EXPECT_EQ(answerOf(tensors).answer, LoaderAnswer::No);
    EXPECT_EQ(answerOf({{"layers.weight", {2, 2}}}).answer, LoaderAnswer::No) << "hardly a tensor";
    EXPECT_EQ(answerOf({{"a/kernel:0", {2, 2}}, {"a/bias:0", {2}}}).answer, LoaderAnswer::No);
    EXPECT_EQ(answerOf(llama(), R"({"architectures": ["LlamaForCausalLM"],
                                    "model_type": "mistral"})")
                  .answer,
              LoaderAnswer::Undecided);
    EXPECT_EQ(answerOf(llama(), R"({"architectures": ["Own"]})").answer, LoaderAnswer::Unknown);
    EXPECT_EQ(answerOf({{"input_blocks.0.0.weight", {2, 2}}},
                       R"({"_class_name": "AutoencoderKL", "_diffusers_version": "0.37.1"})")
                  .answer,
              LoaderAnswer::No);

    std::string config(kLlama);
    config.insert(1, R"("quantization_config": {"quant_method": "gptq"}, )");
    tensors = llama();
    tensors.emplace_back("model.layers.0.self_attn.q_proj.bias", Shape{4});
    const ModelAnswer biased = answerOf(tensors, config);
    EXPECT_EQ(biased.answer, LoaderAnswer::Undecided);
    EXPECT_EQ(biased.why.text().find("leaves them out"), std::string::npos) << biased.why.text();
}

Ability serveOf(const HealthReport& health) {
    const auto abilities = abilitiesOf(*modelOf(llama()), health);
    EXPECT_TRUE(abilities);
    return abilities ? abilities->at(static_cast<std::size_t>(AbilityId::Serve)) : Ability();
}

TEST(Abilities, ServeIsNoWithAnError) {
    HealthReport health;
    health.model.answer = LoaderAnswer::Undecided;
    health.model.why = "The config contradicts itself";
    EXPECT_EQ(verdictOf(serveOf(health)).text(), "unknown");
    health.verdict = HealthVerdict::Damaged; // of an error that is no longer stored
    health.findings.push_back({Severity::Warning, fail(ErrorCode::StrayFile, "A stray file")});
    EXPECT_EQ(verdictOf(serveOf(health)).text(), "no");
    EXPECT_EQ(serveOf(health).why.back().text(), "`cairn-cli check` finds errors");
    health.findings.push_back({Severity::Error, fail(ErrorCode::NotStored, "Empty weights")});
    EXPECT_EQ(serveOf(health).why.back().text(), "Empty weights");
}

TEST(Statistics, CountsAndMeasures) {
    StatisticsKernel kernel(Dtype::Float32);
    constexpr float kInf = std::numeric_limits<float>::infinity();
    kernel.add(floats({1, 2, 3, 0, -4, NAN, kInf, -kInf}));
    const TensorStatistics& result = kernel.result();
    EXPECT_EQ(result.count, 8U);
    EXPECT_EQ(result.nan, 1U);
    EXPECT_EQ(result.inf, 2U);
    EXPECT_EQ(result.zeros, 1U);
    EXPECT_EQ(result.min, -4);
    EXPECT_EQ(result.max, 3);
    EXPECT_EQ(result.absmax, 4);
    EXPECT_NEAR(result.mean, 0.4, 1e-12);
    EXPECT_NEAR(result.l2, std::sqrt(30.0), 1e-12);
    EXPECT_NEAR(result.std(), std::sqrt(30.0 / 5 - 0.16), 1e-12);
}

TEST(Statistics, ManyBlocksAgreeWithOneSum) {
    std::vector<float> values;
    double sum = 0;
    for (int i = 0; i < 20'000; ++i) {
        values.push_back(1e4F + static_cast<float>(i % 17) * 0.25F);
        sum += values.back();
    }
    const double mean = sum / 20'000;
    double m2 = 0;
    for (const float value : values) {
        m2 += (value - mean) * (value - mean);
    }
    StatisticsKernel kernel(Dtype::Float32);
    kernel.add(floats(values));
    EXPECT_NEAR(kernel.result().mean, mean, 1e-9);
    EXPECT_NEAR(kernel.result().std(), std::sqrt(m2 / 20'000), 1e-9);
}

TEST(Statistics, NothingIsNothing) {
    StatisticsKernel kernel(Dtype::Float32);
    kernel.add({});
    EXPECT_EQ(kernel.result().count, 0U);
    EXPECT_EQ(kernel.result().std(), 0);
}

TEST(Fingerprint, HashesTheElements) {
    const CheckpointPtr checkpoint = oneTensor({});
    const std::vector all{TensorIndex(0)};
    const auto result = fingerprint(*checkpoint, all);
    ASSERT_TRUE(result);
    EXPECT_EQ(hexText(result->tensors[0].sha256),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    ASSERT_TRUE(result->whole);
}

TEST(Fingerprint, DoesNotDependOnSharding) {
    const std::vector<float> values{0, 1, 2, 3, 4, 5, 6, 7};
    const CheckpointPtr whole = oneTensor(values);
    Maker maker;
    const FileIndex first = maker.file(floats({0, 1, 2}));
    const FileIndex second = maker.file(floats({3, 4, 5, 6, 7}));
    maker.tensor(
        "w", Shape{8},
        {piece(second, {Dims{3}, Dims{5}}, {0, 20}), piece(first, {Dims{0}, Dims{3}}, {0, 12})});
    const CheckpointPtr sharded = maker.make();
    const std::vector all{TensorIndex(0)};
    const auto left = fingerprint(*whole, all);
    const auto right = fingerprint(*sharded, all);
    ASSERT_TRUE(left);
    ASSERT_TRUE(right);
    EXPECT_EQ(left->whole, right->whole);
}

TEST(Fingerprint, OneUnreadableTensorDoesNotHideTheOthers) {
    Maker maker;
    const FileIndex file = maker.file(floats({1, 2}));
    maker.tensor("good", Shape{2}, {piece(file, Box::whole(Shape{2}), {0, 8})});
    maker.tensor("holed", Shape{4}, {piece(file, {Dims{0}, Dims{2}}, {0, 8})});
    const CheckpointPtr checkpoint = maker.make();
    const std::vector all{TensorIndex(0), TensorIndex(1)};
    const auto result = fingerprint(*checkpoint, all);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->tensors[0].error);
    ASSERT_TRUE(result->tensors[1].error);
    EXPECT_EQ(result->tensors[1].error->code, ErrorCode::CoverageHole);
    EXPECT_FALSE(result->whole);
}

TEST(Health, AWholeCheckpointIsHealthy) {
    const auto report = checkHealth(*oneTensor({1, 2, 3}));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, HealthVerdict::Healthy);
    EXPECT_EQ(report->tensorsRead, 1U);
}

TEST(Health, NanFails) {
    const auto report = checkHealth(*oneTensor({1, NAN, 3}));
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->failed());
    ASSERT_EQ(report->findings.size(), 1U);
    EXPECT_EQ(report->findings[0].error.code, ErrorCode::NonFinite);
    EXPECT_EQ(report->findings[0].error.where.tensor, "w");
}

TEST(Health, HolesAreIncomplete) {
    Maker maker;
    const FileIndex file = maker.file(floats({1, 2}));
    maker.tensor("holed", Shape{4}, {piece(file, {Dims{0}, Dims{2}}, {0, 8})});
    const auto report = checkHealth(*maker.make());
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, HealthVerdict::Incomplete);
}

TEST(Health, PartsThatCannotBeJoinedAreNotDamaged) {
    Maker maker;
    const FileIndex file = maker.file(floats({1, 2}));
    maker.tensor("w", Shape{2}, {piece(file, Box::whole(Shape{2}), {0, 8})});
    maker.data().notices.push_back(
        {Severity::Error, fail(ErrorCode::ShardsNotJoined, "Nothing tells how they were cut")});
    const auto report = checkHealth(*maker.make());
    ASSERT_TRUE(report);
    EXPECT_EQ(report->verdict, HealthVerdict::Incomplete);
}

TEST(Health, TheTableDecidesSeverityAndVerdict) {
    const struct {
        Severity reported;
        ErrorCode code;
        Severity severity;
        HealthVerdict verdict;
    } cases[] = {
        {Severity::Warning, ErrorCode::SafetensorsTrailingBytes, Severity::Error,
         HealthVerdict::Damaged},
        {Severity::Warning, ErrorCode::DanglingPointer, Severity::Error, HealthVerdict::Incomplete},
        {Severity::Error, ErrorCode::BeingWritten, Severity::Error, HealthVerdict::Incomplete},
        {Severity::Error, ErrorCode::MixedSteps, Severity::Error, HealthVerdict::Mixed},
        {Severity::Error, ErrorCode::StaleShard, Severity::Error, HealthVerdict::Mixed},
        {Severity::Warning, ErrorCode::StaleShard, Severity::Warning, HealthVerdict::Warnings},
        {Severity::Warning, ErrorCode::ConflictingSaves, Severity::Warning,
         HealthVerdict::Warnings},
        {Severity::Warning, ErrorCode::NewerThanIndex, Severity::Warning, HealthVerdict::Warnings},
        {Severity::Info, ErrorCode::MissingShard, Severity::Info, HealthVerdict::Healthy},
        {Severity::Error, ErrorCode::ZipOverlap, Severity::Error, HealthVerdict::Damaged},
        {Severity::Error, ErrorCode::Unsupported, Severity::Error, HealthVerdict::Unread},
        {Severity::Error, ErrorCode::TorchUnknownDtype, Severity::Error, HealthVerdict::Unread},
        {Severity::Warning, ErrorCode::Unsupported, Severity::Warning, HealthVerdict::Warnings},
    };
    for (const auto& item : cases) {
        Maker maker;
        const FileIndex file = maker.file(floats({1, 2}));
        maker.tensor("w", Shape{2}, {piece(file, Box::whole(Shape{2}), {0, 8})});
        maker.data().notices.push_back({item.reported, fail(item.code, "Something")});
        const CheckpointPtr checkpoint = maker.make();
        EXPECT_EQ(checkpoint->notices()[0].severity, item.severity) << errorName(item.code);
        const auto report = checkHealth(*checkpoint);
        ASSERT_TRUE(report);
        EXPECT_EQ(report->verdict, item.verdict) << errorName(item.code);
        EXPECT_EQ(report->failed(), item.severity == Severity::Error) << errorName(item.code);
        EXPECT_EQ(report->failed(true), item.severity != Severity::Info) << errorName(item.code);
    }
}

TEST(Health, MasksAreNotDamage) {
    const float inf = INFINITY;
    EXPECT_FALSE(checkHealth(*oneTensor({0, -inf, 0, -inf}))->failed(true));
    EXPECT_TRUE(checkHealth(*oneTensor({1, -inf, 0, 2}))->failed());
}

TEST(Health, ComparesStoredChecksums) {
    for (const bool right : {true, false}) {
        Maker maker;
        const auto bytes = floats({1, 2, 3});
        const std::uint32_t crc = crc32(0, bytes);
        const FileIndex file = maker.file(bytes);
        maker.tensor("w", Shape{3}, {piece(file, Box::whole(Shape{3}), {0, 12})});
        maker.data().checksums.push_back({file, {0, 12}, right ? crc : crc ^ 1U, "data/0"});
        const auto report = checkHealth(*maker.make());
        ASSERT_TRUE(report);
        EXPECT_EQ(report->failed(), !right);
        EXPECT_EQ(report->checksums, 1U);
    }
}

} // namespace
} // namespace cairn
