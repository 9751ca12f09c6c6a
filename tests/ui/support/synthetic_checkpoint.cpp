// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/synthetic_checkpoint.h"

#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace cairn::ui::test {
namespace {

/// Little-endian patterns of a smooth wave, for float32 and bfloat16; other dtypes count up.
std::byte patternByte(Dtype dtype, std::uint64_t element, std::uint64_t byte) {
    const auto value = static_cast<float>(0.05 * std::sin(0.37 * static_cast<double>(element)));
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    bits = dtype == Dtype::Bfloat16 ? bits >> 16U : bits;
    const bool isFloat = dtype == Dtype::Bfloat16 || dtype == Dtype::Float32;
    const std::uint64_t whole = isFloat ? bits : element;
    return static_cast<std::byte>(byte < 8 ? whole >> (8 * byte) & 0xffU : 0);
}

Value transformerValues(std::uint32_t tensors) {
    std::vector<Value> losses;
    for (int i = 0; i < 40; ++i) {
        losses.emplace_back(2.9 * std::exp(-0.05 * i) + 1.4);
    }
    std::vector<ValueItem> args{
        {"lr", 2e-5},
        {"weight_decay", 0.1},
        {"betas", Value::list({0.9, 0.95})},
        {"warmup_steps", std::int64_t{500}},
        {"bf16", true},
        {"dataset", "openhermes-2.5"},
        {"resume_from", Value()},
        {"output_dir", "/scratch/runs/llama-ft-a/outputs/2026-11-19_22-14-03/checkpoints"},
    };
    std::vector<ValueItem> model;
    for (std::uint32_t i = 0; i < std::min(tensors, 6U); ++i) {
        model.push_back({"tensor_" + std::to_string(i), TensorIndex(i)});
    }
    std::vector<std::byte> raw(5056, std::byte{7});
    return Value::dict({
        {"epoch", 2.2},
        {"global_step", std::int64_t{11000}},
        {"best_loss", 1.702},
        {"args", Value::object("argparse.Namespace", std::move(args))},
        {"history",
         Value::dict({{"loss", Value::list(std::move(losses))}, {"diverged", std::nan("")}})},
        {"model", Value::dict(std::move(model), "collections.OrderedDict")},
        {"rng_state", Value::bytes(std::move(raw))},
        {"tokens_seen", BigInt{"123456789012345678901234567890"}},
        {"lr_scheduler",
         Value::object("torch.optim.lr_scheduler.CosineAnnealingLR",
                       {{"T_max", std::int64_t{12000}}, {"last_epoch", std::int64_t{11000}}})},
    });
}

} // namespace

CheckpointMaker::CheckpointMaker(std::string format) {
    m_data.format = std::move(format);
    m_data.framework = "torch";
    m_data.path = "/data/experiments/llama-ft-a/step-11000";
    m_data.completeness = Completeness::Complete;
    m_data.step = 11000;
}

FileIndex CheckpointMaker::addShard(const std::string& name, bool missing) {
    CheckpointFile file;
    file.path = name;
    file.missing = missing;
    m_bytes.emplace_back();
    return m_data.addFile(std::move(file));
}

TensorIndex CheckpointMaker::addTensor(std::string name, Dtype dtype, Shape shape,
                                       const std::vector<FileIndex>& shards, std::size_t dim) {
    TensorEntry tensor;
    tensor.role = name.starts_with("optimizer.") ? Role::Optimizer : modelRole(name);
    tensor.name = std::move(name);
    tensor.dtype = dtype;
    tensor.shape = shape;
    const std::int64_t length = shape.empty() ? 1 : shape[dim];
    const auto parts = static_cast<std::int64_t>(shape.empty() ? 1 : shards.size());
    const std::int64_t step = (length + parts - 1) / parts;
    for (std::int64_t part = 0; part < parts; ++part) {
        Piece piece;
        piece.box = Box::whole(shape);
        if (!shape.empty()) {
            piece.box.origin[dim] = std::min(part * step, length);
            piece.box.extent[dim] = std::min(step, length - piece.box.origin[dim]);
        }
        const std::uint64_t elements = elementCount(piece.box.extent).value_or(0);
        if (elements == 0) {
            continue;
        }
        piece.file = shards[static_cast<std::size_t>(part)];
        std::vector<std::byte>& bytes = m_bytes[piece.file.position()];
        piece.bytes = {bytes.size(), dtypeBytes(dtype, elements).value_or(0)};
        const std::uint64_t width = std::max<std::uint64_t>(piece.bytes.length / elements, 1);
        for (std::uint64_t i = 0; i < piece.bytes.length; ++i) {
            bytes.push_back(patternByte(dtype, i / width, i % width));
        }
        tensor.pieces.push_back(std::move(piece));
    }
    m_data.tensors.push_back(std::move(tensor));
    return TensorIndex(m_data.tensors.size() - 1);
}

CheckpointPtr CheckpointMaker::make() {
    for (std::size_t i = 0; i < m_bytes.size(); ++i) {
        CheckpointFile& file = m_data.files[i];
        file.identity.size = m_bytes[i].size();
        if (!file.missing) {
            file.source = makeMemorySource(std::move(m_bytes[i]), file.path);
        }
    }
    return Checkpoint::make(std::move(m_data));
}

CheckpointPtr makeTransformer(int layers, bool missingShard) {
    CheckpointMaker maker;
    std::vector<FileIndex> ranks;
    for (int rank = 0; rank < 4; ++rank) {
        ranks.push_back(
            maker.addShard("__" + std::to_string(rank) + "_0.distcp", missingShard && rank == 3));
    }
    const auto add = [&](const std::string& name, const Shape& shape, std::size_t dim) {
        maker.addTensor("model." + name, Dtype::Bfloat16, shape, ranks, dim);
        for (const char* state : {"exp_avg", "exp_avg_sq"}) {
            maker.addTensor("optimizer.state." + name + "." + state, Dtype::Float32, shape, ranks,
                            dim);
        }
    };
    add("embed_tokens.weight", {256, 64}, 0);
    for (int layer = layers - 1; layer >= 0; --layer) {
        const std::string prefix = "layers." + std::to_string(layer) + ".";
        for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
            add(prefix + "self_attn." + name + ".weight", {64, 64}, 0);
        }
        add(prefix + "self_attn.o_proj.weight", {64, 64}, 1);
        add(prefix + "mlp.up_proj.weight", {160, 64}, 0);
        add(prefix + "mlp.down_proj.weight", {64, 160}, 1);
        add(prefix + "input_layernorm.weight", {64}, 0);
    }
    maker.addTensor("model.norm.weight", Dtype::Float32, {67}, ranks);
    maker.addTensor("optimizer.step", Dtype::Int64, {}, {ranks.front()});
    maker.addTensor("model.mask", Dtype::Bool, {8, 8}, {ranks.front()});
    if (missingShard) {
        maker.data().completeness = Completeness::Incomplete;
        maker.data().why = {"shard 3 of 4 is missing"};
    }
    const auto tensors = static_cast<std::uint32_t>(maker.data().tensors.size());
    maker.data().loadValues = [tensors](const CancelToken&) -> Result<LoadedValues> {
        return transformerValues(tensors);
    };
    return maker.make();
}

CheckpointPtr makeEnormous(std::size_t count) {
    CheckpointData data;
    data.format = "dcp";
    data.path = "/data/enormous";
    for (int rank = 0; rank < 64; ++rank) {
        CheckpointFile file;
        file.path = "__" + std::to_string(rank) + "_0.distcp";
        file.identity.size = std::uint64_t{1} << 34U;
        data.addFile(std::move(file));
    }
    constexpr std::array<const char*, 3> kProjections{"gate_proj", "up_proj", "down_proj"};
    constexpr std::array<const char*, 3> kStates{"", ".exp_avg", ".exp_avg_sq"};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t state = i % 3;
        const std::size_t projection = i / 3 % 3;
        const std::size_t expert = i / 9 % 512;
        const std::size_t layer = i / 9 / 512;
        TensorEntry tensor;
        tensor.name = std::string(state == 0 ? "model" : "optimizer.state") + ".layers." +
                      std::to_string(layer) + ".mlp.experts." + std::to_string(expert) + "." +
                      kProjections[projection] + ".weight" + kStates[state];
        tensor.dtype = state == 0 ? Dtype::Bfloat16 : Dtype::Float32;
        tensor.role = state == 0 ? Role::Weight : Role::Optimizer;
        tensor.shape = projection == 2 ? Shape{2048, 7168} : Shape{7168, 2048};
        Piece piece;
        piece.box = Box::whole(tensor.shape);
        piece.file = FileIndex(expert % 64);
        piece.bytes = {0, tensor.bytes()};
        tensor.pieces.push_back(std::move(piece));
        data.tensors.push_back(std::move(tensor));
    }
    return Checkpoint::make(std::move(data));
}

} // namespace cairn::ui::test
