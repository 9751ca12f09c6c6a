// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/replica_check.h"
#include "core/formats/common/members/shared_counts.h"
#include "core/formats/ranks/plain_tensors.h"
#include "core/formats/ranks/rank_files.h"
#include "core/formats/ranks/sharded_objects.h"
#include "core/model/coverage.h"
#include "tests/core/formats/format_fixture.h"

namespace cairn {
namespace {

using namespace formats::ranks;
using formats::ReplicaCheck;

/// The boxes of all coordinates of the mesh.
std::vector<Box> boxes(const Shape& shape, const Dims& mesh, const std::vector<std::size_t>& order,
                       const Dims& dims) {
    std::vector<Box> all;
    const std::uint64_t count = *elementCount(mesh);
    for (std::uint64_t i = 0; i < count; ++i) {
        Dims coordinate(mesh.size(), 0);
        std::uint64_t left = i;
        for (std::size_t d = mesh.size(); d-- > 0; left /= static_cast<std::uint64_t>(mesh[d])) {
            coordinate[d] = static_cast<std::int64_t>(left % static_cast<std::uint64_t>(mesh[d]));
        }
        all.push_back(localBox(shape, mesh, coordinate, order, dims));
    }
    return all;
}

TEST(LocalBoxes, TileTheTensorWhateverItsSize) {
    struct Case {
        Dims mesh;
        std::vector<std::size_t> order;
        Dims dims;
    };
    const std::vector<Case> cases = {{{4}, {0}, {0}},          {{4}, {0}, {1}},
                                     {{2, 3}, {0, 1}, {0, 1}}, {{2, 3}, {0, 1}, {0, 0}},
                                     {{2, 3}, {1, 0}, {0, 0}}, {{7}, {0}, {0}}};
    for (const Case& each : cases) {
        for (std::int64_t rows = 0; rows < 14; ++rows) {
            TensorEntry entry;
            entry.shape = {rows, 5};
            for (const Box& box : boxes(entry.shape, each.mesh, each.order, each.dims)) {
                if (elementCount(box.extent) != 0) {
                    ASSERT_TRUE(fitsInto(box, entry.shape));
                    Piece piece;
                    piece.box = box;
                    entry.pieces.push_back(piece);
                }
            }
            EXPECT_TRUE(coverage(entry).complete()) << rows;
        }
    }
}

TEST(LocalBoxes, AreTorchsChunks) {
    // Like torch: arange(10).chunk(4) has parts of 3, 3, 3 and 1; arange(5).chunk(4) has 2, 2, 1
    // and an empty one.
    const auto ten = boxes({10}, {4}, {0}, {0});
    EXPECT_EQ(ten[3].origin, Dims({9}));
    EXPECT_EQ(ten[3].extent, Dims({1}));
    const auto five = boxes({5}, {4}, {0}, {0});
    EXPECT_EQ(five[2].extent, Dims({1}));
    EXPECT_EQ(five[3].extent, Dims({0}));
    // Columns first, then halves of each half: a _StridedShard together with a Shard.
    const auto strided = boxes({10}, {2, 2}, {1, 0}, {0, 0});
    EXPECT_EQ(strided[0].origin, Dims({0})); // (0, 0): the first three of 0..4
    EXPECT_EQ(strided[0].extent, Dims({3}));
    EXPECT_EQ(strided[1].origin, Dims({5})); // (0, 1): the first three of 5..9
    EXPECT_EQ(strided[2].origin, Dims({3})); // (1, 0): the rest of 0..4
}

Value numbers(std::vector<std::int64_t> list) {
    std::vector<Value> values(list.begin(), list.end());
    return Value::list(std::move(values));
}

Value object(const char* name, std::vector<ValueItem> state) {
    return Value::object(std::string("torch.distributed.") + name, std::move(state));
}

Value dtensor(Value mesh, std::vector<Value> placements, Value size) {
    return object("tensor.DTensor",
                  {{Value("local"), Value(TensorIndex(std::size_t{0}))},
                   {Value("_spec"),
                    object("tensor._dtensor_spec.DTensorSpec",
                           {{Value("mesh"), std::move(mesh)},
                            {Value("placements"), Value::list(std::move(placements))},
                            {Value("tensor_meta"),
                             object("X.TensorMeta", {{Value("shape"), std::move(size)}})}})}});
}

Value shard(std::int64_t dim) {
    return object("tensor.placement_types.Shard", {{Value("dim"), Value(dim)}});
}

TEST(ShardedObjects, ReadTheMeshOfEveryEra) {
    const Value old =
        object("device_mesh.DeviceMesh",
               {{Value("mesh"), Value::object("torch.Tensor", {{Value("shape"), Value("[2, 2]")}})},
                {Value("_coordinate_on_dim"), numbers({1, 0})}});
    const Value middle = object("device_mesh.DeviceMesh",
                                {{Value("_layout"), object("_mesh_layout._MeshLayout",
                                                           {{Value("shape"), numbers({2, 2})}})},
                                 {Value("_coordinate_on_dim"), Value()}});
    for (const Value& mesh : {old, middle}) {
        const auto read = readShardedObject(dtensor(mesh, {shard(0), shard(-1)}, numbers({6, 4})),
                                            2); // rank 2 is at (1, 0)
        ASSERT_TRUE(read);
        ASSERT_TRUE(read->has_value()) << describe(read->error());
        EXPECT_EQ((*read)->parts.at(0).second, (Box{{3, 0}, {3, 2}}));
    }
}

TEST(ShardedObjects, RefuseWhatMakesNoSense) {
    const auto mesh = [](Value coordinate) {
        return object("device_mesh.DeviceMesh",
                      {{Value("_layout"),
                        object("_mesh_layout._MeshLayout", {{Value("shape"), numbers({4})}})},
                       {Value("_coordinate_on_dim"), std::move(coordinate)}});
    };
    const Value good = mesh(numbers({1}));
    const Value partial = object("tensor.placement_types.Partial", {{Value("reduce_op"), "sum"}});
    const std::vector<Value> bad = {
        dtensor(good, {partial}, numbers({4})),
        dtensor(good, {}, numbers({4})),
        dtensor(good, {shard(0), shard(0)}, numbers({4})),
        dtensor(good, {shard(1)}, numbers({4})),
        dtensor(good, {shard(-2)}, numbers({4})),
        dtensor(good, {shard(0)}, numbers({-4})),
        dtensor(good, {shard(0)}, Value("four")),
        dtensor(good, {shard(0)}, numbers({std::int64_t{1} << 40, std::int64_t{1} << 40})),
        dtensor(mesh(numbers({4})), {shard(0)}, numbers({4})),
        dtensor(mesh(numbers({0, 0})), {shard(0)}, numbers({4})),
        dtensor(Value(), {shard(0)}, numbers({4})),
        object("tensor.DTensor", {}),
        object("_shard.sharded_tensor.api.ShardedTensor", {}),
    };
    for (std::size_t i = 0; i < bad.size(); ++i) {
        const auto read = readShardedObject(bad[i], 9);
        ASSERT_TRUE(read) << i;
        EXPECT_FALSE(read->has_value()) << i;
    }
    EXPECT_FALSE(readShardedObject(Value(std::int64_t{1}), 0));
    EXPECT_FALSE(readShardedObject(Value::object("mine.DTensor", {}), 0));
}

TEST(Ranks, DamageIsToldAndTheRestIsRead) {
    const std::filesystem::path sample = CAIRN_SOURCE_DIR "/tests/data/ranks/uneven";
    const auto whole = openCheckpoint(sample);
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ((*whole)->completeness(), Completeness::Complete);
    const test::TemporaryFolder folder;
    std::filesystem::copy(sample, folder / "copy");
    std::filesystem::resize_file(folder / "copy/model_world_size_4_rank_1.pt", 900);
    const auto damaged = openCheckpoint(folder / "copy");
    ASSERT_TRUE(damaged.has_value()) << describe(damaged.error());
    EXPECT_EQ((*damaged)->completeness(), Completeness::Incomplete);
    EXPECT_EQ((*damaged)->tensors().size(), (*whole)->tensors().size());
    const auto rows = (*damaged)->find("rows_13");
    ASSERT_TRUE(rows);
    EXPECT_GT(coverage((*damaged)->tensor(*rows)).holes, 0U);
    for (const char* rank : {"0", "1", "2", "3"}) {
        test::TemporaryFolder empty;
        std::filesystem::create_directory(empty / "c");
        std::ofstream(empty / (std::string("c/model_world_size_4_rank_") + rank + ".pt")) << "no";
        EXPECT_FALSE(openCheckpoint(empty / "c").has_value());
    }
}

/// Files in memory, each with one record that contains a tensor of bytes.
class Replicas : public ::testing::Test {
protected:
    /// The tensor uses [from, from + length) of the record; `crc`: whether the record has a
    /// checksum.
    TensorEntry make(std::vector<std::byte> record, bool crc, std::uint64_t from = 0,
                     std::uint64_t length = 0, Role role = Role::Weight) {
        TensorEntry entry;
        length = length == 0 ? record.size() : length;
        const FileIndex index(static_cast<std::uint32_t>(m_data.files.size()));
        if (crc) {
            m_data.checksums.push_back({index, {0, record.size()}, crc32(0, record), "r", {}});
        }
        CheckpointFile memory;
        memory.source = makeMemorySource(std::move(record), "memory");
        m_data.addFile(std::move(memory));
        entry.name = "w";
        entry.dtype = Dtype::Uint8;
        entry.shape = {static_cast<std::int64_t>(length)};
        entry.role = role;
        Piece piece;
        piece.box = Box::whole(entry.shape);
        piece.file = index;
        piece.bytes = {from, length};
        entry.pieces.push_back(piece);
        return entry;
    }
    static std::vector<std::byte> bytes(std::size_t count, std::size_t other = SIZE_MAX) {
        std::vector<std::byte> made(count, std::byte{7});
        if (other < count) {
            made[other] = std::byte{8};
        }
        return made;
    }
    ReplicaCheck::Verdict compare(const TensorEntry& a, const TensorEntry& b) {
        return ReplicaCheck(m_data).compare(a, b);
    }
    CheckpointData m_data;
    using Verdict = ReplicaCheck::Verdict;
};

TEST_F(Replicas, AreWhatHasTheSameBytes) {
    for (const bool crc : {true, false}) {
        EXPECT_EQ(compare(make(bytes(40), crc), make(bytes(40), crc)), Verdict::Same);
        EXPECT_EQ(compare(make(bytes(40), crc), make(bytes(40, 39), crc)), Verdict::Different);
        EXPECT_EQ(compare(make(bytes(40), crc), make(bytes(40), !crc)), Verdict::Same);
        // Views of records that differ outside of the views.
        EXPECT_EQ(compare(make(bytes(40), crc, 8, 8), make(bytes(40, 30), crc, 8, 8)),
                  Verdict::Same);
        EXPECT_EQ(compare(make(bytes(40), crc, 8, 8), make(bytes(40, 9), crc, 8, 8)),
                  Verdict::Different);
        EXPECT_EQ(compare(make(bytes(40), crc, 8, 8), make(bytes(40), crc, 16, 8)), Verdict::Same);
    }
    TensorEntry columns = make(bytes(40), false);
    columns.shape = {2, 4};
    columns.pieces[0].box = Box::whole(columns.shape);
    columns.pieces[0].strides = {1, 2};
    TensorEntry rows = make(bytes(40), false);
    rows.shape = columns.shape;
    rows.pieces[0].box = Box::whole(rows.shape);
    EXPECT_EQ(compare(columns, rows), Verdict::NotCompared);
}

TEST_F(Replicas, OfLargeTensorsWithoutChecksumsAreSampled) {
    const std::size_t large = ReplicaCheck::kWhole * 4;
    ReplicaCheck check(m_data);
    EXPECT_EQ(check.compare(make(bytes(large), false), make(bytes(large), false)), Verdict::Same);
    EXPECT_EQ(check.sampled(), 1U);
    for (const std::size_t at : {std::size_t{0}, large - 1}) {
        EXPECT_EQ(check.compare(make(bytes(large), false), make(bytes(large, at), false)),
                  Verdict::Different);
    }
    // A file that was truncated in the middle, filled with zeros.
    std::vector<std::byte> half = bytes(large);
    std::fill(half.begin() + static_cast<std::ptrdiff_t>(large / 3),
              half.begin() + static_cast<std::ptrdiff_t>(large / 2), std::byte{1});
    EXPECT_EQ(check.compare(make(bytes(large), false), make(half, false)), Verdict::Different);
    // Two samples are equal, the bytes between them are not: only a complete comparison tells.
    const std::size_t between = ReplicaCheck::kEdge + 1;
    const auto changed = [&] { return make(bytes(large, between), false); };
    EXPECT_EQ(check.compare(make(bytes(large), false), changed()), Verdict::Same);
    EXPECT_EQ(check.compare(make(bytes(large), false), changed(), ReplicaCheck::Depth::Whole),
              Verdict::Different);
    // With a checksum, the complete record is compared.
    EXPECT_EQ(check.compare(make(bytes(large), true), make(bytes(large, 77777), true)),
              Verdict::Different);
}

TEST_F(Replicas, MakeOneTensorAndOthersAreTold) {
    PlainTensors plain(m_data, false);
    const auto add = [&](const std::string& name, std::uint32_t rank, TensorEntry entry) {
        entry.name = name;
        entry.role = name.starts_with("rng") ? Role::Rng : Role::Weight;
        return plain.add(name, {rank, std::move(entry), {}});
    };
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(add("norm", rank, make(bytes(8), true)), rank == 0);
        add("w", rank, make(bytes(8, rank == 2 ? 1 : SIZE_MAX), true));
        add("rng.cpu", rank, make(bytes(8, rank), true));
        add("train_dataloader.seen", rank, make(bytes(8, rank), true));
        TensorEntry loss = make(bytes(1, rank == 1 ? 0 : SIZE_MAX), true);
        loss.shape = {};
        loss.pieces[0].box = Box::whole({});
        add("loss", rank, loss);
    }
    ASSERT_EQ(plain.take("norm", 3).size(), 1U);
    EXPECT_EQ(plain.take("rng.cpu", 3).size(), 3U);
    EXPECT_EQ(plain.take("train_dataloader.seen", 3).size(), 3U);
    EXPECT_EQ(plain.take("loss", 3).size(), 3U);
    CheckpointData told;
    told.completeness = Completeness::Complete;
    plain.report(told, "");
    ASSERT_EQ(told.notices.size(), 1U); // only about the missing part, which belongs to no tensor
    EXPECT_EQ(told.completeness, Completeness::Complete);
    const auto apart = plain.take("w", 3);
    ASSERT_EQ(apart.size(), 3U);
    EXPECT_EQ(apart[2].entry.name, "rank_2.w");
    plain.report(told, "");
    EXPECT_EQ(told.notices.back().error.code, ErrorCode::ShardsNotJoined);
    EXPECT_EQ(told.completeness, Completeness::Incomplete);
}

TEST(RankStates, AreEveryRanksOwn) {
    for (const char* name : {"rng_state", "extra.rng.cuda", "train_dataloader.x", "data_loader.0",
                             "sampler", "state.random_state"}) {
        EXPECT_TRUE(isOfEachRank(name, Role::Other)) << name;
    }
    for (const char* name : {"model.w", "optimizer.state.0.exp_avg", "random_projection.weight",
                             "generator.conv.weight", "spring.weight", "sampler.proj.weight",
                             "encoder.running_mean"}) {
        EXPECT_FALSE(isOfEachRank(name, Role::Weight)) << name;
    }
}

TEST(RankStates, CountWhatAllRanksShare) {
    const auto counter = [](std::vector<std::string_view> path) {
        return formats::sharedCounter(path);
    };
    using formats::Counter;
    EXPECT_EQ(counter({"step"}), Counter::Step);
    EXPECT_EQ(counter({"trainer", "progress", "step"}), Counter::Step);
    EXPECT_EQ(counter({"train_progress", "epoch"}), Counter::Epoch);
    EXPECT_EQ(counter({"meta", "iteration"}), Counter::Step);
    EXPECT_EQ(counter({"extra_state", "num_updates"}), Counter::Update);
    EXPECT_EQ(counter({"dataloader", "global_step"}), Counter::Step);
    EXPECT_EQ(counter({"sampler", "consumed_samples"}), Counter::Other);
    for (const std::vector<std::string_view>& own :
         std::vector<std::vector<std::string_view>>{{"dataloader", "step"},
                                                    {"train_loader", "epoch"},
                                                    {"extra_state", "train_iterator", "epoch"},
                                                    {"_sampler_iter_state", "epoch"},
                                                    {"env", "step"},
                                                    {"best", "step"},
                                                    {"eval", "epoch"},
                                                    {"optimizer", "step"},
                                                    {"rng", "step"},
                                                    {"num_yielded"},
                                                    {"trainloader", "epoch"},
                                                    {"dataiter", "step"},
                                                    {"optimizerState", "step"},
                                                    {"best_step"},
                                                    {"local_step"},
                                                    {"loss"}}) {
        EXPECT_FALSE(counter(own)) << own.back();
    }
}

TEST(Ranks, SeveralSavesInOneFolderAreNotMixed) {
    const std::filesystem::path sample = CAIRN_SOURCE_DIR "/tests/data/ranks/uneven";
    const auto whole = openCheckpoint(sample);
    ASSERT_TRUE(whole.has_value());
    const test::TemporaryFolder folder;
    for (const char* step : {"step100", "step200"}) {
        for (const char* rank : {"0", "1", "2", "3"}) {
            std::filesystem::copy(sample / (std::string("model_world_size_4_rank_") + rank + ".pt"),
                                  folder / (std::string(step) + "_rank" + rank + ".pt"));
        }
    }
    const auto newest = openCheckpoint(folder.path());
    ASSERT_TRUE(newest.has_value()) << describe(newest.error());
    EXPECT_EQ((*newest)->path(), folder / "step200");
    EXPECT_EQ((*newest)->data().step, 200);
    EXPECT_EQ((*newest)->completeness(), Completeness::Complete) << test::noticesText(**newest);
    EXPECT_EQ((*newest)->tensors().size(), (*whole)->tensors().size());
    EXPECT_TRUE((*newest)->find("rows_13"));
    const auto older = openCheckpoint(folder / "step100");
    ASSERT_TRUE(older.has_value()) << describe(older.error());
    EXPECT_EQ((*older)->data().step, 100);
    EXPECT_EQ((*older)->files().front().path, "step100_rank0.pt");
    EXPECT_EQ(filesOfSave(folder / "step100").size(), 4U);
    EXPECT_EQ(indexFileOf(folder / "step100"), folder / "step100_rank0.pt");
    EXPECT_FALSE(openCheckpoint(folder / "step300").has_value());
    // A truncated file, then a missing one: known only from what it should contain.
    std::filesystem::resize_file(folder / "step200_rank3.pt", 900);
    for (const bool gone : {false, true}) {
        if (gone) {
            std::filesystem::remove(folder / "step200_rank3.pt");
        }
        const auto before = openCheckpoint(folder.path());
        ASSERT_TRUE(before.has_value());
        EXPECT_EQ((*before)->path(), folder / "step100") << gone;
        EXPECT_TRUE(test::hasNotice(**before, ErrorCode::BeingWritten)) << gone;
    }
}

const std::filesystem::path kWorlds = CAIRN_SOURCE_DIR "/tests/data/ranks/two_worlds";

/// Copies the files of a world, with times `seconds` after the others.
void copyWorld(const std::filesystem::path& to, int world, int seconds) {
    std::filesystem::create_directories(to);
    const auto start = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    for (int rank = 0; rank < world; ++rank) {
        const std::string name =
            "model_world_size_" + std::to_string(world) + "_rank_" + std::to_string(rank) + ".pt";
        std::filesystem::copy(kWorlds / name, to / name);
        std::filesystem::last_write_time(to / name, start + std::chrono::seconds(seconds));
    }
}

TEST(Ranks, OfTwoWorldSizesTheNewestCompleteSetIsShown) {
    for (const int newer : {1, 2}) {
        const test::TemporaryFolder folder;
        copyWorld(folder.path(), 3 - newer, 0);
        copyWorld(folder.path(), newer, 100);
        const auto opened = openCheckpoint(folder.path());
        ASSERT_TRUE(opened.has_value()) << describe(opened.error());
        EXPECT_EQ((*opened)->data().worldSize, newer);
        EXPECT_EQ((*opened)->tensors().size(), 6U);
        EXPECT_EQ((*opened)->completeness(), Completeness::Complete) << test::noticesText(**opened);
        EXPECT_EQ((*opened)->files().size(), static_cast<std::size_t>(newer));
        std::size_t stale = 0;
        for (const Notice& notice : (*opened)->notices()) {
            stale +=
                notice.error.code == ErrorCode::StaleShard && notice.severity == Severity::Warning;
        }
        EXPECT_EQ(stale, static_cast<std::size_t>(3 - newer)) << test::noticesText(**opened);
    }
}

TEST(Ranks, APartOfANewerWorldDoesNotHideACompleteOne) {
    const test::TemporaryFolder folder;
    copyWorld(folder.path(), 1, 0);
    copyWorld(folder.path(), 2, 100);
    std::filesystem::remove(folder / "model_world_size_2_rank_0.pt");
    const auto opened = openCheckpoint(folder.path());
    ASSERT_TRUE(opened.has_value()) << describe(opened.error());
    EXPECT_EQ((*opened)->data().worldSize, 1);
    EXPECT_EQ((*opened)->completeness(), Completeness::Complete) << test::noticesText(**opened);
    const auto notices = (*opened)->notices();
    const auto unfinished = std::ranges::find_if(notices, [](const Notice& notice) {
        return notice.error.code == ErrorCode::BeingWritten && notice.severity == Severity::Error;
    });
    ASSERT_NE(unfinished, notices.end());
    EXPECT_EQ(unfinished->error.where.file, "model_world_size_2_rank_1.pt");
}

TEST(Ranks, AStepOfVerlIsOneCheckpoint) {
    const test::TemporaryFolder folder;
    copyWorld(folder / "global_step_20/actor", 2, 0);
    copyWorld(folder / "global_step_20/critic", 1, 0);
    const auto opened = openCheckpoint(folder / "global_step_20");
    ASSERT_TRUE(opened.has_value()) << describe(opened.error());
    EXPECT_EQ((*opened)->data().step, 20);
    EXPECT_EQ((*opened)->data().worldSize, 2);
    EXPECT_EQ((*opened)->completeness(), Completeness::Complete);
    EXPECT_EQ((*opened)->tensors().size(), 12U);
    const auto role = [&](std::string_view name) {
        const auto index = (*opened)->find(name);
        return index ? std::optional((*opened)->tensor(*index).role) : std::nullopt;
    };
    EXPECT_EQ(role("l1.weight"), Role::Weight);
    EXPECT_EQ(role("critic.l1.weight"), Role::TrainingState);
    std::filesystem::remove(folder / "global_step_20/critic/model_world_size_1_rank_0.pt");
    copyWorld(folder / "global_step_20/critic", 2, 0);
    std::filesystem::remove(folder / "global_step_20/critic/model_world_size_2_rank_1.pt");
    const auto cut = openCheckpoint(folder / "global_step_20");
    ASSERT_TRUE(cut.has_value());
    EXPECT_EQ((*cut)->completeness(), Completeness::Incomplete);
}

/// Weights that only some ranks have are shards of one model, unless ranks have different weights
/// with one name: then a notice reports them.
TEST_F(Replicas, WeightsOfSomeRanksAreShardsUnlessOthersDiffer) {
    for (const bool differ : {false, true}) {
        PlainTensors plain(m_data, false);
        const auto add = [&](const std::string& name, std::uint32_t rank, bool other = false) {
            TensorEntry entry = make(other ? bytes(8, 7) : bytes(8), true);
            entry.name = name;
            plain.add(name, {rank, std::move(entry), {}});
        };
        add("first.w", 0);
        add("second.w", 1);
        add("both.w", 0);
        add("both.w", 1, differ);
        EXPECT_EQ(plain.take("first.w", 2).front().entry.name,
                  differ ? "rank_0.first.w" : "first.w");
        EXPECT_EQ(plain.take("both.w", 2).size(), differ ? 2U : 1U);
        CheckpointData told;
        told.completeness = Completeness::Complete;
        plain.report(told, "");
        EXPECT_EQ(told.completeness, differ ? Completeness::Incomplete : Completeness::Complete);
    }
}

} // namespace
} // namespace cairn
