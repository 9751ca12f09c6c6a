// SPDX-License-Identifier: Apache-2.0
#include "core/compute/cast.h"
#include "core/formats/deepspeed/folder_reader.h"
#include "core/formats/deepspeed/master_names.h"
#include "core/formats/deepspeed/rounding_check.h"
#include "tests/core/formats/format_fixture.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace cairn::formats::deepspeed {
namespace {

using Verdict = RoundingCheck::Verdict;

std::uint16_t rounded(float value, Dtype dtype) {
    std::uint16_t element = 0;
    castElements(Dtype::Float32, std::as_bytes(std::span(&value, 1)), dtype,
                 std::as_writable_bytes(std::span(&element, 1)));
    return element;
}

TEST(DeepSpeedRounding, IsWhatACastMakes) {
    std::mt19937 random(7);
    for (const Dtype dtype : {Dtype::Bfloat16, Dtype::Float16}) {
        for (int i = 0; i < 200'000; ++i) {
            const auto bits = static_cast<std::uint32_t>(random());
            float value = 0;
            std::memcpy(&value, &bits, sizeof value);
            const std::uint16_t element = rounded(value, dtype);
            EXPECT_TRUE(roundsTo(value, dtype, element)) << value;
            const auto next = static_cast<std::uint16_t>(element + 1);
            EXPECT_FALSE((element & 0x7fffU) > 0x0400U && (next & 0x7fffU) < 0x7b00U &&
                         roundsTo(value, dtype, next))
                << value;
            EXPECT_FALSE((element & 0x7fffU) > 0x0400U && !std::isnan(value) &&
                         roundsTo(-value, dtype, element))
                << value;
        }
    }
}

TEST(DeepSpeedRounding, KnowsTiesZerosAndTheEndsOfTheRange) {
    EXPECT_TRUE(roundsTo(1.0F, Dtype::Bfloat16, 0x3f80));
    EXPECT_TRUE(roundsTo(1.00390625F, Dtype::Bfloat16, 0x3f80)) << "a tie goes to the even one";
    EXPECT_FALSE(roundsTo(1.00390625F, Dtype::Bfloat16, 0x3f81));
    EXPECT_TRUE(roundsTo(0.0F, Dtype::Float16, 0x0000));
    EXPECT_TRUE(roundsTo(-0.0F, Dtype::Float16, 0x0000));
    EXPECT_TRUE(roundsTo(1e-8F, Dtype::Float16, 0x0000));
    EXPECT_TRUE(roundsTo(5e-5F, Dtype::Float16, 0x0000)) << "subnormal numbers may be flushed";
    EXPECT_FALSE(roundsTo(1e-3F, Dtype::Float16, 0x0000));
    EXPECT_TRUE(roundsTo(1e6F, Dtype::Float16, 0x7c00)) << "infinite";
    EXPECT_FALSE(roundsTo(1e3F, Dtype::Float16, 0x7c00));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(roundsTo(nan, Dtype::Bfloat16, 0x7fc0));
    EXPECT_FALSE(roundsTo(1.0F, Dtype::Bfloat16, 0x7fc0));
    EXPECT_FALSE(roundsTo(nan, Dtype::Bfloat16, 0x3f80));
}

/// A module in bfloat16 with fp32 masters, each tensor in its own file.
struct Trained {
    CheckpointData data;
    Member model;
    std::vector<Parameter> parameters;
    std::vector<TensorEntry> masters;

    TensorEntry stored(std::string name, Dtype dtype, const Shape& shape,
                       std::vector<std::byte> bytes) {
        const std::uint64_t size = bytes.size();
        const FileIndex file = synthetic::addMemoryFile(data, std::move(bytes), name);
        return {std::move(name),
                dtype,
                shape,
                Role::Other,
                {{Box::whole(shape), file, {0, size}, {}, kRawCodec, {}}},
                {}};
    }
    void add(const std::string& name, const std::vector<float>& values) {
        const Shape shape{static_cast<std::int64_t>(values.size())};
        std::vector<std::byte> narrow(values.size() * 2);
        castElements(Dtype::Float32, std::as_bytes(std::span(values)), Dtype::Bfloat16, narrow);
        model.tensors.push_back(
            stored("module." + name, Dtype::Bfloat16, shape, std::move(narrow)));
        parameters.push_back({name, shape, values.size(), 0});
        masters.push_back(stored(name, Dtype::Float32, shape, synthetic::bytesOf(values)));
    }
    [[nodiscard]] Trainable trainable() const {
        Trainable made{parameters, {}};
        for (const TensorEntry& copy : model.tensors) {
            made.copies.push_back(&copy);
        }
        return made;
    }
    /// Names of the masters at these positions, given as one group.
    std::vector<std::string> named(MasterNames& names, const std::vector<std::size_t>& group) {
        std::vector<const Shape*> shapes;
        std::vector<const TensorEntry*> own;
        for (const std::size_t i : group) {
            shapes.push_back(&masters[i].shape);
            own.push_back(&masters[i]);
        }
        std::vector<std::string> found;
        for (const auto& place : names.name(shapes, own)) {
            found.push_back(place ? parameters[*place].name : "");
        }
        return found;
    }
};

using Names = std::vector<std::string>;

TEST(DeepSpeedMasters, AreTheOnesThatRoundToTheirCopies) {
    Trained trained;
    trained.add("a", {1.001F, 2});
    trained.add("b", {3, 4});
    trained.add("c", {5, 6});
    MasterNames all(trained.data, trained.trainable());
    EXPECT_EQ(trained.named(all, {0, 1, 2}), (Names{"a", "b", "c"}));
    MasterNames groups(trained.data, trained.trainable());
    EXPECT_EQ(trained.named(groups, {2, 1}), (Names{"c", "b"})) << "shapes alone: one of three";
    EXPECT_EQ(trained.named(groups, {0}), Names{"a"});
    MasterNames gap(trained.data, trained.trainable());
    EXPECT_EQ(trained.named(gap, {0, 2}), (Names{"a", "c"})) << "b is frozen";
    MasterNames turned(trained.data, trained.trainable());
    EXPECT_EQ(trained.named(turned, {1, 0, 2}), (Names{"b", "a", "c"}))
        << "the one way by shapes is contradicted";
}

TEST(DeepSpeedMasters, AreNotGuessed) {
    Trained trained;
    trained.add("a", {0, 0});
    trained.add("b", {0, 0});
    trained.add("c", {5, 6});
    MasterNames names(trained.data, trained.trainable());
    EXPECT_EQ(trained.named(names, {2, 0}), (Names{"c", ""})) << "a and b are alike";
    MasterNames ordered(trained.data, trained.trainable());
    EXPECT_EQ(trained.named(ordered, {1, 2}), (Names{"", "c"}));
    MasterNames all(trained.data, trained.trainable());
    EXPECT_EQ(trained.named(all, {0, 1, 2}), (Names{"a", "b", "c"})) << "in the module's order";
    EXPECT_EQ(trained.named(all, {2}), Names{""}) << "it has its master";
}

TEST(DeepSpeedMasters, OfAnotherSaveContradictTheirCopies) {
    Trained trained;
    std::vector<float> values(5'000, 1.0F);
    trained.add("wide", values);
    values.back() = 1.5F;
    trained.add("other", values);
    RoundingCheck check(trained.data);
    EXPECT_EQ(check.compare(trained.masters[0], trained.model.tensors[0]), Verdict::Same);
    EXPECT_EQ(check.compare(trained.masters[1], trained.model.tensors[0]), Verdict::Different);
    TensorEntry hole = trained.masters[0];
    hole.pieces.clear();
    EXPECT_EQ(check.compare(hole, trained.model.tensors[0]), Verdict::NotCompared);
    EXPECT_EQ(check.compare(trained.masters[0], trained.masters[0]), Verdict::Same);
    EXPECT_EQ(check.compare(trained.masters[0], trained.masters[1]), Verdict::Different);
    EXPECT_EQ(check.compare(trained.model.tensors[0], trained.masters[0]), Verdict::NotCompared);
    trained.data.tensors = {trained.masters[1], trained.model.tensors[0]};
    checkCopies(trained.data, {{TensorIndex(0), TensorIndex(1)}});
    ASSERT_EQ(trained.data.notices.size(), 1U);
    EXPECT_EQ(trained.data.notices[0].error.code, ErrorCode::StaleShard);
    EXPECT_EQ(trained.data.notices[0].error.where.tensor, "other");
}

/// A universal checkpoint of the parameters w and v, and of f, which is frozen; all contain 1, 2.
class Universal {
public:
    Universal() {
        m_folder.write("mp_rank_00_model_states.pt", "");
        for (const char* name : {"w/fp32", "w/exp_avg", "w/exp_avg_sq", "v/fp32", "v/exp_avg",
                                 "v/exp_avg_sq", "f/fp32"}) {
            m_folder.write("zero/" + std::string(name) + ".pt", "");
        }
        m_folder.write("zero/optimizer_state.pt", "");
    }
    void remove(const char* name) { std::filesystem::remove_all(m_folder.path() / "zero" / name); }

    [[nodiscard]] CheckpointPtr open() const {
        OpenRequest request;
        request.path = m_folder.path();
        request.folder = *Folder::open(m_folder.path());
        request.entries = *request.folder->list();
        request.openNested = [](std::string_view name) { return file(name); };
        return readTagFolder(request).value();
    }
    /// "name role" of the tensors that are neither copies nor aliases.
    [[nodiscard]] Names own() const {
        Names found;
        const CheckpointPtr checkpoint = open();
        for (const TensorEntry& tensor : checkpoint->tensors()) {
            if (!tensor.aliasOf && !tensor.name.starts_with("module.")) {
                found.push_back(tensor.name + " " + std::string(roleName(tensor.role)));
            }
        }
        std::ranges::sort(found);
        return found;
    }

private:
    static Result<CheckpointPtr> file(std::string_view name) {
        Trained made;
        const Value shape = Value::list({Value(std::int64_t{2})});
        std::vector<ValueItem> items;
        if (name.ends_with("model_states.pt")) {
            made.add("w", {1, 2});
            made.add("v", {1, 2});
            made.add("f", {1, 2});
            made.data.tensors = made.model.tensors;
            items.push_back(
                {Value("param_shapes"), Value::dict({{Value("w"), shape}, {Value("v"), shape}})});
        } else if (!name.ends_with("optimizer_state.pt")) {
            made.add("param", {1, 2});
            made.data.tensors = {made.masters[0]};
            items.push_back({Value("param"), Value(TensorIndex(0))});
        }
        made.data.loadValues = [items](const CancelToken&) -> Result<LoadedValues> {
            return Value::dict(items);
        };
        return Checkpoint::make(std::move(made.data));
    }
    test::TemporaryFolder m_folder;
};

TEST(DeepSpeedUniversal, WeightsHaveTheirParametersNames) {
    Universal save;
    const Names whole{"f weight",
                      "v weight",
                      "v.exp_avg optimizer",
                      "v.exp_avg_sq optimizer",
                      "w weight",
                      "w.exp_avg optimizer",
                      "w.exp_avg_sq optimizer"};
    EXPECT_EQ(save.own(), whole);
    EXPECT_EQ(save.open()->completeness(), Completeness::Complete);
    save.remove("f"); // the model states also contain it
    EXPECT_EQ(save.own(), whole);
    EXPECT_EQ(save.open()->completeness(), Completeness::Complete);
}

TEST(DeepSpeedUniversal, MissesTheFilesOfListedParameters) {
    for (const char* lost : {"v/exp_avg.pt", "optimizer_state.pt"}) {
        Universal save;
        save.remove(lost);
        EXPECT_EQ(save.open()->completeness(), Completeness::Incomplete) << lost;
        EXPECT_TRUE(save.open()->find("v")) << lost;
    }
    for (const char* lost : {"v", "v/fp32.pt"}) {
        Universal save;
        save.remove(lost);
        const CheckpointPtr checkpoint = save.open();
        EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete) << lost;
        EXPECT_TRUE(std::ranges::any_of(checkpoint->files(), [](const CheckpointFile& file) {
            return file.missing && file.path == "zero/v/fp32.pt";
        })) << lost;
        EXPECT_FALSE(checkpoint->find("v")) << lost;
    }
}

} // namespace
} // namespace cairn::formats::deepspeed
