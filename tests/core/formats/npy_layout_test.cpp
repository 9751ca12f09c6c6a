// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/numpy/npz_write.h"

#include <gtest/gtest.h>

namespace cairn::formats {
namespace {

Result<OutputLayout> layoutOne(Dtype dtype, const Shape& shape) {
    const std::vector<LayoutTensor> tensors = {{TensorIndex(0), "t", dtype, shape, std::nullopt}};
    LayoutRequest request;
    request.tensors = tensors;
    return layoutNpy(request);
}

std::string header(const OutputLayout& layout) {
    return std::string(asText(layout.files[0].contents[0].bytes));
}

TEST(NpyLayout, WritesTheHeaderThatNumPyWrites) {
    const auto layout = layoutOne(Dtype::Float32, {3, 5});
    ASSERT_TRUE(layout.has_value());
    const std::string text = header(*layout);
    EXPECT_EQ(text.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_EQ(text.size() % 64, 0U);
    EXPECT_EQ(text.size(), 10U + static_cast<unsigned char>(text[8]) +
                               256U * static_cast<unsigned char>(text[9]));
    EXPECT_TRUE(text.substr(10).starts_with(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), } "));
    EXPECT_EQ(text.back(), '\n');
    EXPECT_EQ(layout->files[0].size, text.size() + 60);
}

TEST(NpyLayout, WritesShapesAsPythonTuples) {
    EXPECT_NE(header(*layoutOne(Dtype::Int8, {})).find("'shape': (), }"), std::string::npos);
    EXPECT_NE(header(*layoutOne(Dtype::Int8, {7})).find("'shape': (7,), }"), std::string::npos);
    EXPECT_NE(header(*layoutOne(Dtype::Bool, {2, 0, 4})).find("'descr': '|b1'"), std::string::npos);
    EXPECT_NE(header(*layoutOne(Dtype::Bool, {2, 0, 4})).find("'shape': (2, 0, 4), }"),
              std::string::npos);
}

TEST(NpyLayout, RefusesWhatNumPyHasNot) {
    EXPECT_EQ(layoutOne(Dtype::Bfloat16, {2}).error().code, ErrorCode::DtypeNotRepresentable);
    EXPECT_EQ(layoutOne(Dtype::Float8E4m3fn, {2}).error().code, ErrorCode::DtypeNotRepresentable);
    EXPECT_EQ(layoutNpy({}).error().code, ErrorCode::InvalidArgument);
}

} // namespace
} // namespace cairn::formats
