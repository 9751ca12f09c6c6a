// SPDX-License-Identifier: Apache-2.0
#include "app/cli/memory_output.h"

#include "app/cli/text_table.h"
#include "core/base/visible_text.h"

namespace cairn::cli {
namespace {

void writeTraining(JsonWriter& json, const MemoryNeeds& needs) {
    json.key("training");
    json.beginArray();
    for (const TrainingMemory& each : needs.training) {
        json.beginObject();
        json.member("optimizer", each.optimizer);
        json.member("precision", each.precision);
        json.member("weights_bytes", each.weights);
        json.member("gradients_bytes", each.gradients);
        json.member("states_bytes", each.states);
        json.member("bytes", each.total());
        json.member("formula", each.formula);
        json.endObject();
    }
    json.endArray();
    if (needs.activations) {
        json.key("activations");
        json.beginObject();
        json.member("tokens", needs.activations->tokens);
        json.member("bytes", needs.activations->all);
        json.member("bytes_with_checkpointing", needs.activations->checkpointed);
        json.member("logits_bytes", needs.activations->logits);
        json.member("formula", needs.activations->formula);
        json.member("estimate", true);
        json.endObject();
    }
}

void writeServing(JsonWriter& json, const MemoryNeeds& needs) {
    json.key("serving");
    json.beginObject();
    json.member("weights_bytes", needs.weightBytes);
    json.key("weights_as");
    json.beginArray();
    for (const ServingWeights& each : needs.serving) {
        json.beginObject();
        json.member("dtype", each.dtype);
        json.member("bytes", each.bytes);
        json.member("formula", each.formula);
        json.endObject();
    }
    json.endArray();
    if (needs.kvCache) {
        const KvCache& cache = *needs.kvCache;
        json.key("kv_cache");
        json.beginObject();
        json.member("kind", cache.kind);
        json.member("bytes_per_token", cache.bytesPerToken());
        json.member("layers", cache.layers);
        json.member("sliding_layers", cache.slidingLayers);
        if (cache.slidingLayers > 0) {
            json.member("window", cache.window);
        }
        json.member("element_bytes", cache.elementBytes);
        if (needs.contextTokens > 0) {
            json.member("context_tokens", needs.contextTokens);
            json.member("context_bytes", cache.bytes(needs.contextTokens));
        }
        json.member("formula", cache.formula);
        json.member("source", cache.source);
        json.endObject();
    }
    json.endObject();
}

std::string cacheText(const MemoryNeeds& needs) {
    const KvCache& cache = *needs.kvCache;
    std::string text = formatBytes(cache.bytesPerToken()) + " a token, " + cache.kind;
    if (needs.contextTokens > 0) {
        text += "; " + formatBytes(cache.bytes(needs.contextTokens)) + " for " +
                std::to_string(needs.contextTokens) + " tokens";
    }
    if (cache.slidingLayers > 0) {
        text += "; " + std::to_string(cache.slidingLayers) + " layers keep " +
                std::to_string(cache.window) + " tokens";
    }
    return text;
}

} // namespace

void writeMemory(JsonWriter& json, const FoundMemory& memory) {
    const MemoryNeeds& needs = memory.needs;
    json.key("memory");
    json.beginObject();
    json.memberOrNull("config", memory.config);
    if (needs.parameters > 0) {
        json.member("parameters", needs.parameters);
    }
    json.member("weights_bytes", needs.weightBytes);
    json.member("optimizer_bytes", needs.optimizerBytes);
    writeTraining(json, needs);
    writeServing(json, needs);
    json.key("missing");
    json.beginArray();
    for (const Sentence& each : needs.missing) {
        json.string(each.text());
    }
    json.endArray();
    json.endObject();
}

void printMemory(Session& session, const FoundMemory& memory, bool formulas) {
    const MemoryNeeds& needs = memory.needs;
    const auto print = [&](std::string_view label, const std::string& text,
                           const Sentence& formula) {
        printField(session, label, text);
        if (formulas) {
            printField(session, "", formula.text());
        }
    };
    bool first = true;
    for (const TrainingMemory& each : needs.training) {
        if (first || formulas) {
            print("training",
                  formatBytes(each.total()) + " with " + each.optimizer + ", " + each.precision +
                      ", without activations",
                  each.formula);
        }
        first = false;
    }
    if (const auto& kept = needs.activations) {
        print("activations",
              "about " + formatBytes(kept->all) + " for a sequence of " +
                  std::to_string(kept->tokens) + " tokens, " + formatBytes(kept->checkpointed) +
                  " with gradient checkpointing",
              kept->formula);
    }
    if (needs.weightBytes > 0 && (needs.kvCache || formulas)) {
        print("serving", formatBytes(needs.weightBytes) + " of weights", "as they are stored");
    }
    for (const ServingWeights& each : needs.serving) {
        if (formulas) {
            print("", formatBytes(each.bytes) + " of weights as " + each.dtype, each.formula);
        }
    }
    if (needs.kvCache) {
        print("KV cache", cacheText(needs),
              sentence("%1 (%2)", needs.kvCache->formula, needs.kvCache->source));
    }
    for (const Sentence& each : needs.missing) {
        if (formulas) {
            printField(session, "", each.text());
        }
    }
}

} // namespace cairn::cli
