// SPDX-License-Identifier: Apache-2.0
#include "core/io/open_files.h"
#include "core/model/checkpoint.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// A codec that is never called; identified by its address.
class UnusedCodec final : public PieceCodec {
public:
    std::string_view name() const override { return "unused"; }
    Result<LocatedPiece> locate(const ByteSourcePtr&, const TensorEntry&,
                                const Piece&) const override {
        return fail(ErrorCode::Unsupported, "never asked");
    }
};

/// A folder whose files are empty, and which counts how often one is opened.
class CountingFolder final : public Folder {
public:
    CountingFolder() : Folder("folder") {}
    Result<ByteSourcePtr> openFile(std::string_view relative) const override {
        ++opened;
        return makeMemorySource({}, std::string(relative));
    }
    Result<FolderPtr> openFolder(std::string_view) const override {
        return fail(ErrorCode::NotFound, "never asked");
    }
    Result<std::vector<FolderEntry>> list(std::size_t) const override {
        return std::vector<FolderEntry>();
    }
    bool hasFile(std::string_view) const override { return true; }
    mutable std::atomic<std::size_t> opened{0};
};

TEST(Checkpoint, OpensEachFileOnceAsLongAsAllMayBeOpen) {
    const auto folder = std::make_shared<const CountingFolder>();
    const std::size_t count = OpenFiles::mostKept();
    CheckpointData data;
    for (std::size_t i = 0; i < count + 1; ++i) {
        CheckpointFile file;
        file.path = std::to_string(i);
        file.folder = folder;
        data.addFile(std::move(file));
    }
    const auto checkpoint = Checkpoint::make(std::move(data));
    for (int tensor = 0; tensor < 3; ++tensor) { // each has a part in every file
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_TRUE(checkpoint->openFile(FileIndex(i)));
        }
    }
    EXPECT_EQ(folder->opened, count);
    ASSERT_TRUE(checkpoint->openFile(FileIndex(count)));
    ASSERT_TRUE(checkpoint->openFile(FileIndex(count - 1)));
    EXPECT_EQ(folder->opened, count + 1) << "what was used last is kept";
}

TEST(Checkpoint, KeepsTheFirstOfTwoEqualNamesAndSaysSo) {
    CheckpointData data;
    data.tensors.push_back(synthetic::cutTensor(data, "a", {2}, {Box::whole({2})}));
    data.tensors.push_back(synthetic::cutTensor(data, "a", {3}, {Box::whole({3})}));
    const auto checkpoint = Checkpoint::make(std::move(data));
    EXPECT_EQ(checkpoint->tensor(*checkpoint->find("a")).shape, Shape{2});
    ASSERT_EQ(checkpoint->notices().size(), 1U);
    EXPECT_EQ(checkpoint->notices()[0].error.code, ErrorCode::DuplicateTensor);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
}

TEST(Checkpoint, DropsTensorsWhosePiecesLieOutside) {
    CheckpointData data;
    auto tensor = synthetic::cutTensor(data, "a", {4}, {Box::whole({4})});
    tensor.pieces[0].box = {{2}, {3}};
    data.tensors.push_back(std::move(tensor));
    TensorEntry huge{"b", Dtype::Float64, {std::int64_t{1} << 62, 8}, Role::Weight, {}, {}};
    data.tensors.push_back(huge);
    const auto checkpoint = Checkpoint::make(std::move(data));
    EXPECT_FALSE(checkpoint->find("a").has_value());
    EXPECT_FALSE(checkpoint->find("b").has_value());
    EXPECT_EQ(checkpoint->notices().size(), 2U);
}

TEST(Checkpoint, AppendPrefixesNamesAndKeepsAliases) {
    CheckpointData inner;
    inner.tensors.push_back(synthetic::cutTensor(inner, "w", {2}, {Box::whole({2})}));
    inner.tensors.push_back(inner.tensors[0]);
    inner.tensors[1].name = "tied";
    inner.tensors[1].aliasOf = TensorIndex(0);
    const auto nested = Checkpoint::make(std::move(inner));
    CheckpointData outer;
    outer.tensors.push_back(synthetic::cutTensor(outer, "first", {1}, {Box::whole({1})}));
    EXPECT_EQ(append(outer, *nested, "optimizer.", "optimizer/", Role::Optimizer), 1U);
    const auto whole = Checkpoint::make(std::move(outer));
    const TensorEntry& tied = whole->tensor(*whole->find("optimizer.tied"));
    EXPECT_EQ(tied.aliasOf->position(), 1U);
    EXPECT_EQ(tied.role, Role::Optimizer);
    EXPECT_EQ(whole->files()[tied.pieces[0].file.position()].path, "optimizer/shard0");
    EXPECT_EQ(totals(*whole).bytes, 12U); // the alias is not counted again
}

TEST(Checkpoint, AppendKeepsTheCodecsOfMembersBeyond16Bits) {
    CheckpointData outer;
    for (const char* name : {"a", "b"}) {
        CheckpointData member;
        member.tensors.push_back(synthetic::cutTensor(member, name, {2}, {Box::whole({2})}));
        for (int i = 0; i < 40'000; ++i) {
            member.tensors[0].pieces[0].codec = member.addCodec(std::make_shared<UnusedCodec>());
        }
        const auto last = member.codecs.back();
        append(outer, *Checkpoint::make(std::move(member)), {}, {});
        EXPECT_EQ(outer.codecs.at(outer.tensors.back().pieces[0].codec), last);
    }
    EXPECT_EQ(outer.tensors.back().pieces[0].codec, 80'000U);
    EXPECT_EQ(Checkpoint::make(std::move(outer))->notices().size(), 0U);
}

TEST(Checkpoint, AppendSaysInWhichFolderANoticesFileLies) {
    for (const char* path : {"/data/run/step_7", "run/step_7"}) {
        CheckpointData inner;
        inner.path = path;
        const auto note = [&](std::string file) {
            inner.notices.push_back(
                {Severity::Error, fail(ErrorCode::MissingShard, "m").inFile(std::move(file))});
        };
        note("rank_1.pt");
        note("part/rank_1.pt");
        note(std::string(path) + "/rank_2.pt"); // as a source describes itself
        note("");
        const auto nested = Checkpoint::make(std::move(inner));
        CheckpointData outer;
        append(outer, *nested, "", "step_7/");
        ASSERT_EQ(outer.notices.size(), 4U);
        EXPECT_EQ(outer.notices[0].error.where.file, "step_7/rank_1.pt");
        EXPECT_EQ(outer.notices[1].error.where.file, "step_7/part/rank_1.pt");
        EXPECT_EQ(outer.notices[2].error.where.file, std::string(path) + "/rank_2.pt");
        EXPECT_EQ(outer.notices[3].error.where.file, "");
    }
}

TEST(Checkpoint, LooksForStepAndEpochUnderTheirUsualNames) {
    CheckpointData data;
    data.loadValues = [](const CancelToken&) -> Result<LoadedValues> {
        return Value::dict(
            {{"epoch", 2.5}, {"trainer_state", Value::dict({{"global_step", std::int64_t{40}}})}});
    };
    const TrainingPosition position = trainingPosition(*Checkpoint::make(std::move(data)));
    EXPECT_EQ(position.step, 40);
    EXPECT_EQ(position.epoch, 2.5);
}

TEST(Checkpoint, ReadsTheLastOfFairseqsStarts) {
    CheckpointData data;
    data.loadValues = [](const CancelToken&) -> Result<LoadedValues> {
        const auto start = [](std::int64_t updates) {
            return Value::dict({{"num_updates", updates}});
        };
        const Value iterator = Value::dict({{"epoch", std::int64_t{3}}});
        return Value::dict({{"optimizer_history", Value::list({start(10), start(250)})},
                            {"extra_state", Value::dict({{"train_iterator", iterator}})}});
    };
    const TrainingPosition position = trainingPosition(*Checkpoint::make(std::move(data)));
    EXPECT_EQ(position.step, 250);
    EXPECT_EQ(position.epoch, 3);
}

TEST(Checkpoint, StepsCountBeforeTheBatchesOfAccumulatedOnes) {
    CheckpointData data; // LitGPT: lit_model.pth of step-00000100, of four batches each
    data.loadValues = [](const CancelToken&) -> Result<LoadedValues> {
        return Value::dict({{"iter_num", std::int64_t{400}}, {"step_count", std::int64_t{100}}});
    };
    EXPECT_EQ(trainingPosition(*Checkpoint::make(std::move(data))).step, 100);
}

TEST(Checkpoint, BelowZeroThereIsNoPosition) {
    CheckpointData data; // some programs end training with this epoch
    data.loadValues = [](const CancelToken&) -> Result<LoadedValues> {
        return Value::dict({{"epoch", std::int64_t{-1}},
                            {"step", std::int64_t{-1}},
                            {"meta", Value::dict({{"iter", std::int64_t{7}}})}});
    };
    const TrainingPosition position = trainingPosition(*Checkpoint::make(std::move(data)));
    EXPECT_FALSE(position.epoch);
    EXPECT_EQ(position.step, 7);
}

} // namespace
} // namespace cairn
