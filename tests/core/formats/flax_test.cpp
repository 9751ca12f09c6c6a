// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/jax_moments.h"
#include "core/formats/common/jax/flax_tree.h"
#include "core/formats/common/jax/jax_roles.h"
#include "core/model/saved_values.h"
#include "tests/core/formats/format_fixture.h"

namespace cairn::test {
namespace {

const std::filesystem::path kFlaxData = CAIRN_SOURCE_DIR "/tests/data/flax";

TEST(Flax, ATrainStateHasItsStepAndRoles) {
    const auto checkpoint = openCheckpoint(kFlaxData / "checkpoint_20");
    ASSERT_TRUE(checkpoint.has_value()) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->format(), "flax");
    EXPECT_EQ(trainingPosition(**checkpoint).step, 20);
    for (const TensorEntry& tensor : (*checkpoint)->tensors()) {
        const bool optimizer = tensor.name.starts_with("opt_state.");
        EXPECT_EQ(tensor.role, optimizer ? Role::Optimizer : Role::Weight) << tensor.name;
        EXPECT_EQ(tensor.pieces.front().codec, kRawCodec);
    }
}

TEST(Flax, PartsOfALargeArrayBecomeOne) {
    const auto checkpoint = openCheckpoint(kFlaxData / "chunked.msgpack");
    ASSERT_TRUE(checkpoint.has_value()) << describe(checkpoint.error());
    const auto index = (*checkpoint)->find("params.a");
    ASSERT_TRUE(index.has_value());
    const TensorEntry& tensor = (*checkpoint)->tensor(*index);
    EXPECT_EQ(tensor.shape, (Shape{7, 11, 13}));
    EXPECT_GT(tensor.pieces.size(), 5U);
    const auto bytes = readComplete(**checkpoint, tensor, 1U << 20U);
    ASSERT_TRUE(bytes.has_value());
    std::vector<float> values(1001);
    std::memcpy(values.data(), bytes->data(), bytes->size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(values[i], static_cast<float>(i));
    }
    EXPECT_EQ((*checkpoint)->tensors().size(), 2U);
}

TEST(Flax, EveryKindOfLeaf) {
    const auto checkpoint = openCheckpoint(kFlaxData / "odd.msgpack");
    ASSERT_TRUE(checkpoint.has_value()) << describe(checkpoint.error());
    const auto values = (*checkpoint)->values();
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(*values->find("number")->asInt(), 5);
    EXPECT_EQ(*values->find("real")->asFloat(), 2.5);
    EXPECT_EQ(*values->find("text")->asString(), "hello");
    EXPECT_EQ(values->find("none")->kind(), ValueKind::Null);
    EXPECT_EQ(*values->findPath({"complex", "imag"})->asFloat(), 2.0);
    EXPECT_NE(values->find("numpy")->asTensor(), nullptr);
}

TEST(Flax, WhatComesBeforeDamageIsShown) {
    TemporaryFolder folder;
    const std::string whole = readText(kFlaxData / "checkpoint_20");
    const auto path = folder.write("cut.msgpack", whole.substr(0, whole.size() / 2));
    const auto checkpoint = openCheckpoint(path);
    ASSERT_TRUE(checkpoint.has_value()) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Incomplete);
    EXPECT_FALSE((*checkpoint)->tensors().empty());
    EXPECT_EQ((*checkpoint)->notices().front().error.code, ErrorCode::Truncated);
}

TEST(Flax, AStreamOfLeavesIsATree) {
    const auto checkpoint = openCheckpoint(kFlaxData / "streaming_train_state");
    ASSERT_TRUE(checkpoint.has_value()) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Unknown);
    EXPECT_EQ(trainingPosition(**checkpoint).step, 9);
    const auto moment = (*checkpoint)->find("opt_state.0.mu.params.head.kernel");
    ASSERT_TRUE(moment.has_value());
    EXPECT_EQ((*checkpoint)->tensor(*moment).role, Role::Optimizer);
    EXPECT_EQ((*checkpoint)->tensor(*moment).shape, (Shape{8, 4}));
    const auto values = (*checkpoint)->values();
    ASSERT_TRUE(values.has_value());
    EXPECT_NE(values->findPath({"params", "params", "head", "kernel"})->asTensor(), nullptr);
}

TEST(Flax, AStreamIsReadUpToItsDamage) {
    TemporaryFolder folder;
    const std::string whole = readText(kFlaxData / "streaming_train_state");
    for (const std::string& text : {whole.substr(0, whole.size() - 1), whole + "\x01"}) {
        const auto checkpoint = openCheckpoint(folder.write("streaming_params", text));
        ASSERT_TRUE(checkpoint.has_value()) << describe(checkpoint.error());
        EXPECT_EQ((*checkpoint)->completeness(), Completeness::Incomplete);
        EXPECT_TRUE((*checkpoint)->find("params.params.head.kernel").has_value());
    }
}

TensorEntry named(const std::string& name) {
    TensorEntry entry;
    entry.name = name;
    entry.shape = {2};
    return entry;
}

Role roleBesideParams(const std::string& name) {
    std::vector<TensorEntry> tensors{named(name), named("params.other"),
                                     named("opt_state.0.mu.other")};
    decideJaxRoles(tensors);
    return tensors.front().role;
}

TEST(JaxRoles, InParametersAloneWordsAreModules) {
    for (const char* name : {"rng.kernel", "ema.kernel", "optimizer.kernel", "opt_state.kernel",
                             "scaler.bias", "key.kernel"}) {
        std::vector<TensorEntry> tensors{named(name), named("Dense_0.kernel")};
        decideJaxRoles(tensors);
        EXPECT_EQ(tensors.front().role, Role::Weight) << name;
    }
    std::vector<TensorEntry> doubted{named("params.w"), named("scaler.kernel")};
    decideJaxRoles(doubted);
    EXPECT_EQ(doubted.back().roleBasis, RoleBasis::Name);
}

TEST(JaxRoles, NamesTellThem) {
    EXPECT_EQ(roleBesideParams("params.dense.kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("state.opt_state.0.mu.dense.kernel"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("default.params.w"), Role::Weight);
    EXPECT_EQ(roleBesideParams("batch_stats.bn.mean"), Role::Buffer);
    EXPECT_EQ(roleBesideParams("optimizer.target.w"), Role::Weight);
    EXPECT_EQ(roleBesideParams("state.opt.target.w"), Role::Weight);
    EXPECT_EQ(roleBesideParams("opt.state.param_states.w"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("optimizer.targets"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("optimizer.state.param_states.w"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("ema_params.w"), Role::Ema);
    EXPECT_EQ(roleBesideParams("1.opt_state.0.mu.dense.kernel.value"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("1.step.value"), Role::TrainingState);
    EXPECT_EQ(roleBesideParams("0.dense.kernel.value"), Role::Weight);
    EXPECT_EQ(roleBesideParams("0.key"), Role::Weight);
    EXPECT_EQ(roleBesideParams("opt~0~mu~dense~kernel"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("params~mlp~opt~kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("chrono~step"), Role::TrainingState);
    EXPECT_EQ(roleBesideParams("opt_state/0/mu/dense/kernel"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("training_key"), Role::Rng);
    EXPECT_EQ(roleBesideParams("actor.opt_state.0.mu.dense.kernel"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("agent.critic.opt_state.0.count"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("g_opt_state.0.nu.dense.kernel"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("optimizer_d.0.nu.dense.kernel"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("actor.optimizer.0.nu.dense.kernel"), Role::Optimizer);
    EXPECT_EQ(roleBesideParams("actor.params.opt_state.kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("actor.params.dense.kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("learned_optimizers.dense.kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("adopt_stateful.dense.kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("agent.optimizer.target.kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("pytree.optimizer_variables.adam.dense_kernel_momentum"),
              Role::Optimizer);
    EXPECT_EQ(roleBesideParams("trainable_variables.sequential.dense.kernel"), Role::Weight);
    EXPECT_EQ(roleBesideParams("non_trainable_variables.norm.moving_mean"), Role::Weight);
    EXPECT_EQ(roleBesideParams("metrics_variables.loss.total"), Role::TrainingState);
    EXPECT_EQ(roleBesideParams("non_trainable_variables.seed_generator.seed_generator_state"),
              Role::Rng);
    EXPECT_EQ(roleBesideParams("step"), Role::TrainingState);
    EXPECT_EQ(roleBesideParams("step.w"), Role::Weight);
    EXPECT_EQ(roleBesideParams("rngs.dropout"), Role::Rng);
    EXPECT_EQ(roleBesideParams(""), Role::Weight);
}

std::string textOfFile(const OutputFile& file) {
    std::string text;
    for (const LiteralSegment& literal : file.literals) {
        text += asText(file.bytesOf(literal));
    }
    return text;
}

/// As `python -c "flax.serialization.to_bytes(...)"` begins and ends.
TEST(Flax, NamesBecomeNestedMaps) {
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "params.dense.kernel", Dtype::Float32, Shape{2, 3}},
        {TensorIndex(1), "params.dense", Dtype::Bfloat16, Shape{}},
        {TensorIndex(2), "params.empty", Dtype::Int8, Shape{0, 4}}};
    LayoutRequest request;
    request.tensors = tensors;
    const auto layout = findFormat("flax")->layout(request);
    ASSERT_TRUE(layout.has_value()) << describe(layout.error());
    ASSERT_EQ(layout->files.size(), 1U);
    const OutputFile& file = layout->files.front();
    EXPECT_EQ(textOfFile(file).substr(0, 10),
              "\x81\xa6params\x83\xac"); // "dense.kernel" is one key
    ASSERT_EQ(file.tensors.size(), 2U);  // an array without elements has no bytes
    EXPECT_EQ(file.tensors[0].length, 24U);
    EXPECT_EQ(file.tensors[1].length, 2U);
}

TEST(Flax, LargeArraysAreWrittenInParts) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 28U; // elements of 4 bytes
    const std::vector<LayoutTensor> tensors = {
        {TensorIndex(0), "w", Dtype::Float32, Shape{2, kLimit - 3}},
        {TensorIndex(1), "most", Dtype::Float32, Shape{kLimit}}};
    LayoutRequest request;
    request.tensors = tensors;
    const auto layout = findFormat("flax")->layout(request);
    ASSERT_TRUE(layout.has_value()) << describe(layout.error());
    const OutputFile& file = layout->files.front();
    std::uint64_t bytes = 0;
    for (const TensorSegment& segment : file.tensors) {
        bytes += segment.source == TensorIndex(0) ? segment.length : 0;
    }
    EXPECT_EQ(bytes, 2U * static_cast<std::uint64_t>(kLimit - 3) * 4U);
    EXPECT_EQ(file.tensors.front().length + file.tensors[1].length, std::uint64_t{1} << 30U);
    EXPECT_EQ(file.tensors.back().length, std::uint64_t{1} << 30U); // not more than the limit
    const std::string text = textOfFile(file);
    EXPECT_EQ(text.find("__msgpack_chunked_array__"), text.rfind("__msgpack_chunked_array__"));
}

/// A map of one text under "t".
Result<FlaxTree> treeOfText(const TemporaryFolder& folder, std::size_t length) {
    std::string text = "\x81\xa1t\xdb";
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        text += static_cast<char>((length >> shift) & 0xffU);
    }
    folder.write("text.msgpack", text + std::string(length, 'x'));
    const auto opened = Folder::open(folder / ".");
    const auto file = (*opened)->openFile("text.msgpack");
    return readFlaxTree(*file, FileIndex(0), {});
}

TEST(Flax, LongTextsAreReadOrNamed) {
    const TemporaryFolder folder;
    const std::size_t length = std::size_t{2} << 20U;
    const auto tree = treeOfText(folder, length);
    ASSERT_TRUE(tree.has_value()) << describe(tree.error());
    ASSERT_NE(tree->values.find("t")->asString(), nullptr);
    EXPECT_EQ(tree->values.find("t")->asString()->size(), length);
    const auto tooLong = treeOfText(folder, std::size_t{49} << 20U);
    ASSERT_TRUE(tooLong.has_value()) << describe(tooLong.error());
    const SavedValues saved = savedValues(tooLong->values);
    ASSERT_EQ(saved.unusable.size(), 1U);
    EXPECT_EQ(saved.unusable.front().path, "t");
    EXPECT_EQ(saved.unusable.front().error.code, ErrorCode::LimitExceeded);
}

TEST(Flax, KeysAndTextsThatAreNotWrittenAsTheyAreAreRefused) {
    const std::vector<LayoutTensor> tensors = {{TensorIndex(0), "w", Dtype::Float32, Shape{2}}};
    const auto code = [&](std::vector<ValueItem> items, std::string_view format) {
        items.push_back({Value("w"), Value(TensorIndex(0))});
        const Value values = Value::dict(std::move(items));
        LayoutRequest request;
        request.tensors = tensors;
        request.values = &values;
        const auto layout = findFormat(format)->layout(request);
        return layout ? ErrorCode::Internal : layout.error().code;
    };
    for (const std::string_view format : {"flax", "orbax"}) {
        EXPECT_EQ(code({}, format), ErrorCode::Internal) << "nothing is wrong";
        EXPECT_EQ(code({{Value(std::int64_t{1}), Value(std::int64_t{5})},
                        {Value("1"), Value(std::int64_t{6})}},
                       format),
                  ErrorCode::DuplicateTensor);
        EXPECT_EQ(code({{Value("t"), Value("\xff")}}, format), ErrorCode::Unsupported);
        EXPECT_EQ(code({{Value("\xff"), Value(true)}}, format), ErrorCode::NameNotRepresentable);
        const std::vector<LayoutTensor> named = {
            {TensorIndex(0), "w\xff", Dtype::Float32, Shape{2}}};
        LayoutRequest request;
        request.tensors = named;
        const auto layout = findFormat(format)->layout(request);
        ASSERT_FALSE(layout.has_value()) << format;
        EXPECT_EQ(layout.error().code, ErrorCode::NameNotRepresentable) << format;
    }
}

/// Weights of two models, and moments of one.
struct Pair {
    CheckpointPtr checkpoint;
    Value values;
};

Pair pairOfModels(const std::vector<std::string>& withMoments) {
    CheckpointData data;
    const auto add = [&](std::string name, Role role) {
        TensorEntry tensor;
        tensor.name = std::move(name);
        tensor.dtype = Dtype::Float32;
        tensor.shape = Shape{2};
        tensor.role = role;
        data.tensors.push_back(std::move(tensor));
        return Value(TensorIndex(data.tensors.size() - 1));
    };
    std::vector<ValueItem> models;
    for (const std::string model : {"generator", "discriminator"}) {
        std::vector<ValueItem> items{
            {Value("params"),
             Value::dict({{Value("dense.w"), add(model + ".params.dense.w", Role::Weight)}})}};
        if (std::ranges::find(withMoments, model) != withMoments.end()) {
            const Value moments =
                Value::dict({{Value("dense.w"), add(model + ".opt_state.w", Role::Optimizer)}});
            items.push_back({Value("opt_state"), Value::dict({{Value("mu"), moments}})});
        }
        models.push_back({Value(model), Value::dict(std::move(items))});
    }
    return {Checkpoint::make(std::move(data)), Value::dict(std::move(models))};
}

TEST(JaxMoments, BelongToTheModelBesideThem) {
    for (const std::string model : {"generator", "discriminator"}) {
        const Pair half = pairOfModels({model});
        const std::string other = model == "generator" ? "discriminator" : "generator";
        for (auto* find : {&momentsOf, &momentsOfState}) {
            const auto moments = find(*half.checkpoint, half.values);
            ASSERT_TRUE(moments.has_value()) << describe(moments.error());
            EXPECT_EQ(moments->parameters, 2U);
            EXPECT_EQ(moments->withMoments, 1U);
            EXPECT_EQ(moments->without, (std::vector<std::string>{other + ".params.dense.w"}));
        }
    }
    const Pair both = pairOfModels({"generator", "discriminator"});
    const auto moments = momentsOfState(*both.checkpoint, both.values);
    ASSERT_TRUE(moments.has_value());
    EXPECT_EQ(moments->withMoments, 2U);
    EXPECT_TRUE(moments->without.empty());
}

TEST(Flax, WhatNumPyHasNoTypeForIsRefused) {
    const std::vector<LayoutTensor> tensors = {{TensorIndex(0), "w", Dtype::Q4K, Shape{1, 256}}};
    LayoutRequest request;
    request.tensors = tensors;
    for (const std::string_view id : {"flax", "orbax"}) {
        const auto layout = findFormat(id)->layout(request);
        ASSERT_FALSE(layout.has_value()) << id;
        EXPECT_EQ(layout.error().code, ErrorCode::DtypeNotRepresentable) << id;
    }
}

} // namespace
} // namespace cairn::test
