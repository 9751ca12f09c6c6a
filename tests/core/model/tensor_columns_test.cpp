// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor_columns.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn {
namespace {

TensorEntry entry() {
    TensorEntry tensor;
    tensor.name = "model.layers.0.q_proj.weight";
    tensor.dtype = Dtype::Bfloat16;
    tensor.shape = {4096, 11008};
    tensor.role = Role::TrainingState;
    Piece piece;
    piece.box = Box::whole(tensor.shape);
    piece.bytes = {0, tensor.bytes()};
    for (const std::uint32_t file : {2U, 0U, 2U}) {
        piece.file = FileIndex(file);
        tensor.pieces.push_back(piece);
    }
    return tensor;
}

bool takes(const std::string& filter, const TensorEntry& tensor = entry()) {
    const auto parsed = RowFilter::parse(filter, findTensorProperty);
    EXPECT_TRUE(parsed) << filter << ": " << (parsed ? "" : describe(parsed.error()));
    TensorCells cells;
    return parsed && parsed->matches(tensor.name, [&](std::size_t column) {
        return cells.of(tensor, static_cast<TensorProperty>(column));
    });
}

TEST(TensorColumns, EveryColumnFilters) {
    EXPECT_TRUE(takes("size > 90MB"));
    EXPECT_FALSE(takes("Size > 1 GB"));
    EXPECT_TRUE(takes("bytes == 90177536"));
    EXPECT_TRUE(takes("elements > 45M"));
    EXPECT_TRUE(takes("shards == 2 pieces == 3"));
    EXPECT_TRUE(takes("files=2"));
    EXPECT_TRUE(takes("rank == 2 and dims < 3"));
    EXPECT_TRUE(takes("name ~ q_proj"));
    EXPECT_TRUE(takes("dtype == bf16"));
    EXPECT_TRUE(takes("dtype != fp32"));
    EXPECT_TRUE(takes("dtype:f16,bf16"));
}

TEST(TensorColumns, ShapesAndRolesAreTypedInSeveralWays) {
    for (const char* shape :
         {"[4096, 11008]", "4096x11008", "\"4096 × 11008\"", "4096,11008", "\"(4096, 11008)\""}) {
        EXPECT_TRUE(takes(std::string("shape == ") + shape)) << shape;
    }
    EXPECT_TRUE(takes("shape ~ 4096"));
    EXPECT_TRUE(takes("shape ~ *x11008"));
    EXPECT_FALSE(takes("shape ~ 512"));
    EXPECT_TRUE(takes("role == training_state"));
    EXPECT_TRUE(takes("role == \"training state\""));
    EXPECT_TRUE(takes("role:weight,training-state"));
}

TEST(TensorColumns, ScalarsHaveAShape) {
    TensorEntry tensor = entry();
    tensor.shape = {};
    tensor.pieces = {};
    EXPECT_TRUE(takes("shape == scalar", tensor));
    EXPECT_TRUE(takes("shape == []", tensor));
    EXPECT_TRUE(takes("rank == 0 pieces = 0 shards = 0", tensor));
    EXPECT_TRUE(takes("shape:", tensor)); // not typed to the end
    EXPECT_TRUE(takes("shape:"));
}

TEST(TensorColumns, UnknownColumnsAreListed) {
    const auto parsed = RowFilter::parse("stride > 1", findTensorProperty);
    ASSERT_FALSE(parsed);
    EXPECT_NE(describe(parsed.error()).find("\"stride\""), std::string::npos);
    EXPECT_NE(describe(parsed.error()).find("shape"), std::string::npos);
}

} // namespace
} // namespace cairn
