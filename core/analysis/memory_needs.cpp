// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/memory_needs.h"

#include "core/analysis/memory_config.h"
#include "core/base/checked.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

namespace cairn {
namespace {

/// Sums that stay at the largest number once they reach it.
class Sum {
public:
    void add(std::uint64_t count, std::uint64_t each = 1) {
        const auto product = checkedMul(count, each);
        const auto sum = product ? checkedAdd(m_value, *product) : std::nullopt;
        m_value = sum.value_or(std::numeric_limits<std::uint64_t>::max());
    }
    [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0;
};

/// Of one tensor, what the formulas need: entries of a million tensors are read once.
struct Weight {
    std::uint64_t elements = 0;
    std::uint64_t last = 0; ///< extents of the last two dimensions, if it has as many
    std::uint64_t beforeLast = 0;
    Dtype dtype = Dtype::Float32;
    bool isMatrix = false; ///< of two or more dimensions
};

Weight weightOf(const TensorEntry& tensor) {
    const std::size_t rank = tensor.shape.size();
    const auto extent = [&](std::size_t fromLast) {
        return rank < fromLast ? 0 : static_cast<std::uint64_t>(tensor.shape[rank - fromLast]);
    };
    return {tensor.elements(), extent(1), extent(2), tensor.dtype, rank >= 2};
}

/// The tensors that training changes. DeepSpeed also stores a 16-bit copy "module.w" of "w".
std::vector<Weight> weightsOf(const Checkpoint& checkpoint) {
    constexpr std::string_view kCopy = "module.";
    std::vector<Weight> weights;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        const std::string_view name = tensor.name;
        const bool isCopy =
            name.starts_with(kCopy) && checkpoint.find(name.substr(kCopy.size())).has_value();
        if (tensor.role == Role::Weight && !tensor.aliasOf && !isCopy) {
            weights.push_back(weightOf(tensor));
        }
    }
    return weights;
}

/// Whether the elements are the parameters: blocks, packed and 8-bit elements have scales.
bool isPlain(const Weight& tensor) {
    const DtypeInfo& info = dtypeInfo(tensor.dtype);
    return !info.isBlock() && info.bits >= 16 &&
           (info.kind == DtypeKind::Float || info.kind == DtypeKind::Complex);
}

/// torch.optim.Adafactor: a matrix has sums of its rows and of its columns.
std::uint64_t factoredElements(const Weight& tensor) {
    return tensor.isMatrix && tensor.elements > 0
               ? tensor.elements / tensor.last + tensor.elements / tensor.beforeLast
               : tensor.elements;
}

/// bitsandbytes: tensors below 4096 elements keep float32; else a byte for each element of both
/// moments, and a float32 for each block of 256 of both.
std::uint64_t eightBitBytes(std::uint64_t elements) {
    constexpr std::uint64_t kSmallest = 4096;
    constexpr std::uint64_t kBlock = 256;
    return elements < kSmallest ? 8 * elements
                                : 2 * elements + 8 * ((elements + kBlock - 1) / kBlock);
}

struct Setup {
    const char* optimizer;
    const char* precision;
    std::uint64_t weight; ///< bytes of one
    std::uint64_t gradient;
    std::uint64_t state; ///< bytes for each parameter; 0: by tensor
    bool counts;         ///< a float32 step counter for each tensor
    const char* formula; ///< in bytes for each parameter
};

constexpr Setup kSetups[] = {
    {"AdamW", "float32", 4, 4, 8, true, "4 weight + 4 gradient + 8 moments"},
    {"AdamW", "bfloat16 with float32 copies", 2, 2, 12, true,
     "2 weight + 2 gradient + 4 float32 copy + 8 moments"},
    {"AdamW", "bfloat16", 2, 2, 4, true, "2 weight + 2 gradient + 4 moments"},
    {"AdamW 8-bit", "bfloat16", 2, 2, 0, false,
     "2 weight + 2 gradient + 2 moments and 8 for each 256; tensors below 4096: 8 moments"},
    {"SGD with momentum", "float32", 4, 4, 4, false, "4 weight + 4 gradient + 4 momentum"},
    {"Adafactor", "float32", 4, 4, 0, true,
     "4 weight + 4 gradient; 4 for each row and column of a matrix, 4 otherwise"},
};

TrainingMemory trainingWith(const Setup& setup, std::span<const Weight> weights) {
    Sum weight;
    Sum gradient;
    Sum state;
    for (const Weight& tensor : weights) {
        const std::uint64_t elements = tensor.elements;
        weight.add(elements, setup.weight);
        gradient.add(elements, setup.gradient);
        if (setup.state > 0) {
            state.add(elements, setup.state);
        } else if (setup.counts) {
            state.add(factoredElements(tensor), 4);
        } else {
            state.add(eightBitBytes(elements));
        }
        state.add(setup.counts ? 4 : 0);
    }
    return {setup.optimizer, setup.precision,
            weight.value(),  gradient.value(),
            state.value(),   sentence("%1 bytes a parameter", fixedText(setup.formula))};
}

/// Width of the inner layer for each token: of a mixture, that of the experts that it passes.
std::optional<std::uint64_t> innerWidth(const ModelConfig& config) {
    const auto experts =
        memory::field(config, {"num_experts_per_tok", "num_experts_per_token", "moe_topk"});
    const auto dense = memory::field(config, {"intermediate_size", "n_inner", "ffn_dim"});
    if (experts) {
        const auto one = memory::field(config, {"moe_intermediate_size", "intermediate_size"});
        const std::uint64_t common = memory::field(config, {"n_shared_experts"}).value_or(0);
        return one ? std::optional((*experts + common) * *one) : std::nullopt;
    }
    const auto width = memory::widthOf(config);
    return dense ? dense : config.has("n_embd") && width ? std::optional(4 * *width) : std::nullopt;
}

/// Whether the inner layer multiplies two projections: its weights have one called "gate" or "w3".
bool isGated(const Checkpoint& checkpoint) {
    return std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
        return tensor.name.find("gate_proj") != std::string::npos ||
               tensor.name.find("gate_up_proj") != std::string::npos ||
               tensor.name.ends_with(".w3.weight");
    });
}

std::optional<ActivationMemory> activationsOf(const Checkpoint& checkpoint,
                                              const ModelConfig& config, std::uint64_t tokens) {
    const auto layers = memory::layersOf(config);
    const auto width = memory::widthOf(config);
    const auto heads = memory::headsOf(config);
    const auto keyHeads = memory::keyHeadsOf(config);
    const auto size = memory::headSizeOf(config);
    const auto inner = innerWidth(config);
    const auto vocabulary = memory::field(config, {"vocab_size"});
    if (!layers || !width || !heads || !keyHeads || !size || !inner || !vocabulary || tokens == 0) {
        return std::nullopt;
    }
    const bool gated = isGated(checkpoint);
    const std::uint64_t inners = gated ? 4 : 2;
    Sum layer; // elements for each token
    layer.add(*width, 4);
    layer.add(*heads * 2, *size);
    layer.add(*keyHeads * 2, *size);
    layer.add(*inner, inners);
    Sum one;
    one.add(layer.value(), 2 * tokens);
    Sum logits;
    logits.add(*vocabulary, 4 * tokens);
    Sum all;
    all.add(one.value(), *layers);
    all.add(logits.value());
    Sum inputs;
    inputs.add(*width, 2 * tokens);
    Sum kept;
    kept.add(inputs.value(), *layers);
    kept.add(one.value());
    kept.add(logits.value());
    return ActivationMemory{
        tokens, all.value(), kept.value(), logits.value(),
        sentence("a token: 2 bytes x %1 layers x (4 x hidden %2 + 2 x queries %3 "
                 "+ 2 x keys %4 + %5 x inner %6) + 4 bytes x vocabulary %7",
                 *layers, *width, *heads * *size, *keyHeads * *size, inners, *inner, *vocabulary)};
}

void addServing(MemoryNeeds& needs, std::span<const Weight> weights) {
    constexpr std::uint64_t kGroup = 128;
    Sum half;
    Sum eight;
    Sum four;
    for (const Weight& tensor : weights) {
        const std::uint64_t elements = tensor.elements;
        half.add(elements, 2);
        if (!tensor.isMatrix) {
            eight.add(elements, 2);
            four.add(elements, 2);
            continue;
        }
        const std::uint64_t columns = tensor.last;
        const std::uint64_t rows = columns == 0 ? 0 : elements / columns;
        eight.add(elements);
        eight.add(rows, 2);
        four.add((elements + 1) / 2);
        four.add(rows, 2 * ((columns + kGroup - 1) / kGroup));
    }
    needs.serving = {
        {"bfloat16", half.value(), "2 bytes a parameter"},
        {"int8", eight.value(), "1 byte a parameter of a matrix, 2 for each row; 2 otherwise"},
        {"int4", four.value(),
         "half a byte a parameter of a matrix, 2 for each 128 of a row; 2 otherwise"}};
}

/// Bytes of one number in the cache: the weights' dtype, if they are 16 or 32 bits wide.
std::uint64_t cacheElement(const Checkpoint& checkpoint) {
    for (const auto& [dtype, bytes] : totals(checkpoint).byDtype) {
        if (dtype == Dtype::Float16 || dtype == Dtype::Bfloat16 || dtype == Dtype::Float32) {
            return dtypeInfo(dtype).bits / 8;
        }
    }
    return 2;
}

} // namespace

std::uint64_t TrainingMemory::total() const {
    Sum sum;
    sum.add(weights);
    sum.add(gradients);
    sum.add(states);
    return sum.value();
}

MemoryNeeds memoryNeeds(const Checkpoint& checkpoint, const ModelConfig* config) {
    MemoryNeeds needs;
    Sum stored;
    Sum optimizer;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        if (!tensor.aliasOf && (tensor.role == Role::Weight || tensor.role == Role::Buffer)) {
            stored.add(tensor.bytes());
        } else if (!tensor.aliasOf && tensor.role == Role::Optimizer) {
            optimizer.add(tensor.bytes());
        }
    }
    needs.weightBytes = stored.value();
    needs.optimizerBytes = optimizer.value();
    const std::vector<Weight> weights = weightsOf(checkpoint);
    if (weights.empty()) {
        needs.missing.emplace_back("Training and serving: the checkpoint contains no weights");
        return needs;
    }
    if (std::ranges::all_of(weights, isPlain)) {
        Sum parameters;
        for (const Weight& each : weights) {
            parameters.add(each.elements);
        }
        needs.parameters = parameters.value();
        for (const Setup& setup : kSetups) {
            needs.training.push_back(trainingWith(setup, weights));
        }
        addServing(needs, weights);
    } else {
        needs.missing.emplace_back("Training: the weights are quantised");
    }
    if (config == nullptr) {
        needs.missing.emplace_back("Activations and KV cache: no config.json was found");
        return needs;
    }
    const ModelConfig text =
        config->has("text_config.model_type") ? config->part("text_config") : *config;
    needs.contextTokens = memory::contextOf(text).value_or(0);
    needs.activations = activationsOf(checkpoint, text, needs.contextTokens);
    if (!needs.activations) {
        needs.missing.emplace_back("Activations: the config does not give all sizes");
    }
    Sentence why;
    needs.kvCache = kvCacheOf(*config, cacheElement(checkpoint), why);
    if (!needs.kvCache) {
        needs.missing.push_back(std::move(why));
    }
    return needs;
}

} // namespace cairn
