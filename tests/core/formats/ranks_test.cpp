// SPDX-License-Identifier: Apache-2.0
#include "core/formats/ranks/rank_files.h"
#include "core/formats/ranks/sharded_objects.h"
#include "core/model/coverage.h"
#include "tests/core/formats/format_fixture.h"

namespace cairn {
namespace {

using namespace formats::ranks;

FolderEntry file(std::string name) {
    return {std::move(name), EntryKind::File, {}};
}

TEST(RankNames, TellKindWorldAndRank) {
    const auto verl = splitRankName("model_world_size_16_rank_3.pt");
    ASSERT_TRUE(verl);
    EXPECT_EQ(verl->base, "model");
    EXPECT_EQ(verl->world, 16U);
    EXPECT_EQ(verl->rank, 3U);
    EXPECT_EQ(splitRankName("extra_state_world_size_2_rank_1.pt")->base, "extra_state");
    EXPECT_EQ(splitRankName("rank_12.pth")->rank, 12U);
    EXPECT_EQ(splitRankName("ckpt-rank7.ckpt")->base, "ckpt");
    EXPECT_EQ(splitRankName("step_5.rank-0.pt")->base, "step_5");
    for (const char* name :
         {"model.pt", "rank.pt", "rankings_3.pt", "frank_3.pt", "rank_3.npz", "model_rank_3",
          "model_world_size_4_rank_4.pt", "model_world_size_2_rank_99999999999.pt", ".pt", "",
          "zero_pp_rank_0_mp_rank_00_optim_states.pt", "mp_rank_00_model_states.pt"}) {
        EXPECT_FALSE(splitRankName(name)) << name;
    }
}

TEST(RankNames, MakeSets) {
    const std::vector<FolderEntry> entries = {file("extra_state_world_size_2_rank_0.pt"),
                                              file("extra_state_world_size_2_rank_1.pt"),
                                              file("model_world_size_2_rank_1.pt"),
                                              file("model_world_size_2_rank_0.pt"),
                                              file("model_world_size_4_rank_3.pt"),
                                              file("other_rank_0.pt"),
                                              {"model_world_size_2_rank_9", EntryKind::Folder, {}}};
    const auto sets = rankSets(entries);
    ASSERT_EQ(sets.size(), 3U); // a lone file without a world size is nothing
    EXPECT_EQ(sets[0].base, "model");
    EXPECT_EQ(sets[0].files.at(0).rank, 0U);
    EXPECT_EQ(sets[0].nameOf(1), "model_world_size_2_rank_1.pt");
    EXPECT_EQ(sets[1].ranks(), 4U);
    EXPECT_EQ(sets[1].nameOf(2), "model_world_size_4_rank_2.pt");
    EXPECT_EQ(sets[2].base, "extra_state");
}

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
    // torch.arange(10).chunk(4): 3, 3, 3, 1; torch.arange(5).chunk(4): 2, 2, 1 and nothing.
    const auto ten = boxes({10}, {4}, {0}, {0});
    EXPECT_EQ(ten[3].origin, Dims({9}));
    EXPECT_EQ(ten[3].extent, Dims({1}));
    const auto five = boxes({5}, {4}, {0}, {0});
    EXPECT_EQ(five[2].extent, Dims({1}));
    EXPECT_EQ(five[3].extent, Dims({0}));
    // Columns first, then halves of the half: a _StridedShard along with a Shard.
    const auto strided = boxes({10}, {2, 2}, {1, 0}, {0, 0});
    EXPECT_EQ(strided[0].origin, Dims({0})); // (0, 0): of 0..4 the first three
    EXPECT_EQ(strided[0].extent, Dims({3}));
    EXPECT_EQ(strided[1].origin, Dims({5})); // (0, 1): of 5..9 the first three
    EXPECT_EQ(strided[2].origin, Dims({3})); // (1, 0): of 0..4 the rest
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

} // namespace
} // namespace cairn
