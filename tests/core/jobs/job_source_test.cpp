// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/job_source.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn {
namespace {

constexpr std::int64_t kRanks = 256;
constexpr std::int64_t kHidden = 8192;
constexpr std::int64_t kHead = 128; ///< rows of a head: a mebibyte of floats of one byte

/// Zeros, except for one byte.
class Zeros : public ByteSource {
public:
    Zeros(std::uint64_t size, std::uint64_t different) : m_size(size), m_different(different) {}
    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        std::memset(out.data(), 0, out.size());
        if (m_different >= offset && m_different - offset < out.size()) {
            out[static_cast<std::size_t>(m_different - offset)] = std::byte{1};
        }
        return {};
    }
    [[nodiscard]] const std::string& name() const override { return m_name; }

private:
    std::uint64_t m_size;
    std::uint64_t m_different;
    std::string m_name = "zeros";
};

/// vLLM's files of 256 ranks of a model with one head of keys, of which each has a copy.
/// `different`: where the last rank's file is not zero.
CheckpointPtr ranksWithCopies(std::uint64_t different) {
    CheckpointData data;
    data.format = "safetensors";
    data.worldSize = static_cast<std::uint32_t>(kRanks);
    FileIndex file;
    std::uint64_t used = 0;
    const auto add = [&](std::string name, Shape shape) {
        TensorEntry tensor;
        tensor.name = std::move(name);
        tensor.dtype = Dtype::Float8E4m3fn;
        tensor.shape = std::move(shape);
        tensor.role = Role::Weight;
        const std::uint64_t bytes = tensor.bytes();
        tensor.pieces.push_back({Box::whole(tensor.shape), file, {used, bytes}, {}, kRawCodec, {}});
        used += bytes;
        data.tensors.push_back(std::move(tensor));
    };
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
        CheckpointFile each;
        each.path = "model-rank-" + std::to_string(rank) + "-part-0.safetensors";
        each.source = std::make_shared<Zeros>(std::uint64_t{64} << 20U,
                                              rank + 1 == kRanks ? different : UINT64_MAX);
        file = data.addFile(std::move(each));
        used = 0;
        const std::string of = "rank_" + std::to_string(rank) + ".";
        const std::string layer = of + "model.layers.0.";
        add(layer + "self_attn.qkv_proj.weight", {3 * kHead, kHidden}); // first in the file
        add(layer + "self_attn.o_proj.weight", {kHidden, kHead});
        add(layer + "mlp.gate_up_proj.weight", {2, kHidden});
        add(layer + "mlp.down_proj.weight", {kHidden, 1});
        add(of + "model.embed_tokens.weight", {1, kHidden});
        add(of + "lm_head.weight", {1, kHidden});
        if (rank == 0) {
            for (const char* norm :
                 {"norm", "layers.0.input_layernorm", "layers.0.post_attention_layernorm"}) {
                add("model." + std::string(norm) + ".weight", {kHidden});
            }
        }
    }
    data.completeness = Completeness::Incomplete;
    data.notices.push_back(
        {Severity::Error, fail(ErrorCode::ShardsNotJoined, "The ranks are not joined")});
    return Checkpoint::make(std::move(data));
}

Result<JobSource> joined(std::uint64_t different) {
    constexpr std::string_view kConfig =
        R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8192,
            "intermediate_size": 256, "num_hidden_layers": 1, "num_attention_heads": 256,
            "num_key_value_heads": 1, "head_dim": 128, "vocab_size": 256,
            "tie_word_embeddings": false})";
    JobSource source;
    source.checkpoint = ranksWithCopies(different);
    Sidecar config{"config.json", "config.json", std::vector<std::byte>(kConfig.size())};
    std::memcpy(config.bytes.data(), kConfig.data(), kConfig.size());
    source.sidecars.push_back(std::move(config));
    return withNamesAndAdapters(std::move(source), ComputedBy::PlainCode, {});
}

TEST(JobSource, SamplesAllCopiesBeforeItReadsSomeCompletely) {
    const auto equal = joined(UINT64_MAX);
    ASSERT_TRUE(equal) << describe(equal.error());
    ASSERT_TRUE(equal->joined);
    const std::string said = equal->joined->assumption.text();
    EXPECT_NE(said.find("by samples only"), std::string::npos) << said;
    EXPECT_EQ(said.find("could not be compared"), std::string::npos) << said;
    const auto other = joined(std::uint64_t{2} * kHead * kHidden); // the last copy, of the values
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::BadSlice);
}

} // namespace
} // namespace cairn
