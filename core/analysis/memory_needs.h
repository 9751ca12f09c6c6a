// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/families/config/model_config.h"
#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a model takes in memory, from its tensors and its config: for the summary of a checkpoint.
/// Every figure has the formula it follows from. Bytes are those of one device that holds
/// everything; buffers of libraries and fragmentation are not included.
namespace cairn {

/// Weights, gradients and states of one optimizer, at one precision, if all weights are trained.
struct TrainingMemory {
    std::string optimizer; ///< "AdamW"
    std::string precision; ///< "bfloat16 with float32 copies"
    std::uint64_t weights = 0;
    std::uint64_t gradients = 0;
    std::uint64_t states = 0; ///< with the float32 copies and the step counters
    Sentence formula;
    [[nodiscard]] std::uint64_t total() const; ///< saturates
};

/// What the backward pass keeps, for one sequence of 16-bit elements. An estimate: it counts the
/// inputs of the matrix products and of fused norms, activations and attention.
struct ActivationMemory {
    std::uint64_t tokens = 0;       ///< length of the sequence
    std::uint64_t all = 0;          ///< without gradient checkpointing
    std::uint64_t checkpointed = 0; ///< the input of each layer, and one layer completely
    std::uint64_t logits = 0;       ///< included in both: float32
    Sentence formula;
};

/// The keys and values of one sequence.
struct KvCache {
    std::string kind;         ///< "multi-head", "grouped-query", "multi-query", "latent" (MLA)
    std::uint64_t layers = 0; ///< that keep every token
    std::uint64_t slidingLayers = 0; ///< that keep `window` tokens
    std::uint64_t window = 0;
    std::uint64_t elementBytes = 2;
    std::uint64_t bytesPerTokenAndLayer = 0;
    Sentence formula;
    std::string source;
    /// For each token, while it is in the window.
    [[nodiscard]] std::uint64_t bytesPerToken() const {
        return bytesPerTokenAndLayer * (layers + slidingLayers);
    }
    /// Saturates.
    [[nodiscard]] std::uint64_t bytes(std::uint64_t tokens) const;
};

/// The weights at another dtype, for serving.
struct ServingWeights {
    std::string dtype;
    std::uint64_t bytes = 0;
    Sentence formula;
};

struct MemoryNeeds {
    std::uint64_t parameters = 0;         ///< elements of the weights; tied ones count once
    std::uint64_t weightBytes = 0;        ///< weights and buffers as they are stored
    std::uint64_t optimizerBytes = 0;     ///< in the checkpoint
    std::uint64_t contextTokens = 0;      ///< the model's longest sequence; 0: not known
    std::vector<TrainingMemory> training; ///< empty if the weights are quantised
    std::vector<ServingWeights> serving;  ///< likewise
    std::optional<ActivationMemory> activations;
    std::optional<KvCache> kvCache;
    std::vector<Sentence> missing; ///< what is not given, and why; one sentence each
};

/// `config`: the model's config.json; null: there is none. Reads nothing. Any thread.
MemoryNeeds memoryNeeds(const Checkpoint& checkpoint, const ModelConfig* config);

/// The cache that a config leads to; empty, with the reason in `why`, for models that keep none or
/// whose layers are of kinds that are not known here.
std::optional<KvCache> kvCacheOf(const ModelConfig& config, std::uint64_t elementBytes,
                                 Sentence& why);

} // namespace cairn
