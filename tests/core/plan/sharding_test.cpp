// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sharding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

namespace cairn {
namespace {

std::string axesText(std::string_view ranks, std::string_view grid, std::string_view dim) {
    const auto axes = parseShardAxes(ranks, grid, dim);
    return axes ? Sharding{*axes, false}.words().text() : std::string(errorName(axes.error().code));
}

TEST(Sharding, IsReadFromWhatTheUserTyped) {
    EXPECT_EQ(axesText("8", "", ""), "8 along dimension 0");
    EXPECT_EQ(axesText("8", "", "-1"), "8 along dimension -1");
    EXPECT_EQ(axesText("", "4x2", ""), "4 along dimension 0 x 2 along dimension 1");
    EXPECT_EQ(axesText("8", "4x2", "1,0"), "4 along dimension 1 x 2 along dimension 0");
    EXPECT_EQ(axesText("", "", ""), "");
    const std::string refused(errorName(ErrorCode::InvalidArgument));
    for (const auto& [ranks, grid, dim] : {std::tuple("0", "", ""),
                                           {"x", "", ""},
                                           {"-1", "", ""},
                                           {"65537", "", ""},
                                           {"", "4", ""},
                                           {"", "4x", ""},
                                           {"", "4x0", ""},
                                           {"", "300x300", ""},
                                           {"7", "4x2", ""},
                                           {"2", "", "a"},
                                           {"2", "", "0,1"},
                                           {"", "2x2", "0"},
                                           {"", "", "0"},
                                           {"2", "", "99"}}) {
        EXPECT_EQ(axesText(ranks, grid, dim), refused) << ranks << " " << grid << " " << dim;
    }
}

LayoutTensor tensor(std::string_view name, std::int64_t elements) {
    return {TensorIndex(0U), name, Dtype::Uint8, {elements}, std::nullopt};
}

TEST(Sharding, FilesTakeAboutTheSameBytes) {
    std::vector<LayoutTensor> tensors;
    for (int i = 0; i < 100; ++i) {
        tensors.push_back(tensor("t", 100 + i));
    }
    for (const std::uint32_t count : {1U, 2U, 3U, 7U, 50U, 100U, 1000U}) {
        const auto files = filesOf(tensors, {{{count, 0}}, false});
        std::vector<std::int64_t> bytes;
        for (std::size_t i = 0; i < files.size(); ++i) {
            ASSERT_LE(files[i], bytes.size());
            bytes.resize(std::max<std::size_t>(bytes.size(), files[i] + 1), 0);
            bytes[files[i]] += tensors[i].shape[0];
        }
        EXPECT_EQ(bytes.size(), std::min(count, 100U));
        if (count <= 7) {
            EXPECT_LT(*std::ranges::max_element(bytes), *std::ranges::min_element(bytes) + 600);
        }
    }
}

TEST(Sharding, LayersAreToldByTheirFirstNumber) {
    const std::vector<LayoutTensor> tensors{
        tensor("model.embed.weight", 4),      tensor("model.layers.0.mlp.weight", 4),
        tensor("model.layers.0.mlp.bias", 4), tensor("model.layers.10.experts.0.weight", 4),
        tensor("model.layers.10.norm", 4),    tensor("model.norm.weight", 4)};
    EXPECT_EQ(filesOf(tensors, {{}, true}), (std::vector<std::uint32_t>{0, 1, 1, 2, 2, 0}));
}

} // namespace
} // namespace cairn
