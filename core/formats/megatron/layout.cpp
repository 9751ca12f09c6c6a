// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/layout.h"

#include <string_view>

namespace cairn::formats::megatron {
namespace {

std::optional<std::int64_t> integer(const Value& args, std::string_view name) {
    const Value* value = args.find(name);
    const std::int64_t* number = value == nullptr ? nullptr : value->asInt();
    return number == nullptr ? std::nullopt : std::optional(*number);
}

bool isTrue(const Value& args, std::string_view name) {
    const Value* value = args.find(name);
    return value != nullptr && value->asBool() != nullptr && *value->asBool();
}

/// Sets a rank count; false: invalid.
bool takeRanks(const std::optional<std::int64_t>& number, std::uint32_t& into) {
    if (number && (*number < 1 || *number > kMostRanks)) {
        return false;
    }
    into = static_cast<std::uint32_t>(number.value_or(into));
    return true;
}

} // namespace

std::optional<Layout> readLayout(const Value& root) {
    const Value* args = root.find("args");
    if (args == nullptr || !args->isContainer()) {
        return std::nullopt;
    }
    const auto tensor = integer(*args, "tensor_model_parallel_size");
    // older name, when there was only one kind of model parallelism
    const auto model = integer(*args, "model_parallel_size");
    if (!tensor && !model) {
        return std::nullopt;
    }
    Layout layout;
    if (!takeRanks(tensor ? tensor : model, layout.tensor) ||
        !takeRanks(integer(*args, "pipeline_model_parallel_size"), layout.pipeline) ||
        !takeRanks(integer(*args, "expert_model_parallel_size"), layout.expert) ||
        !takeRanks(integer(*args, "virtual_pipeline_model_parallel_size"), layout.chunks)) {
        return std::nullopt;
    }
    const auto expertTensor = integer(*args, "expert_tensor_parallel_size");
    layout.expertsShareTensorRanks = !expertTensor || *expertTensor == layout.tensor;
    layout.layers = integer(*args, "num_layers");
    layout.hidden = integer(*args, "hidden_size");
    layout.heads = integer(*args, "num_attention_heads");
    layout.headSize = integer(*args, "kv_channels");
    layout.groups =
        isTrue(*args, "group_query_attention") ? integer(*args, "num_query_groups") : layout.heads;
    layout.vocabulary = integer(*args, "padded_vocab_size");
    layout.experts = integer(*args, "num_experts");
    layout.inner = integer(*args, "ffn_hidden_size");
    layout.expertInner = integer(*args, "moe_ffn_hidden_size");
    layout.sharedInner = integer(*args, "moe_shared_expert_intermediate_size");
    if (const Value* version = root.find("checkpoint_version")) {
        layout.version = numberOf(*version);
    }
    return layout;
}

} // namespace cairn::formats::megatron
