// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/summary_facts.h"

#include "core/analysis/parameter_count.h"
#include "core/jobs/bundle/found_weights.h"
#include "core/model/saved_values.h"
#include "core/runs/facts/position_decision.h"
#include "ui/models/shard_evenness.h"
#include "ui/navigator/checkpoint_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxValues = 8;
constexpr int kDeepest = 4;
constexpr std::size_t kMaxVisited = 4000;

/// The most important keys, in display order.
constexpr std::array<std::string_view, 30> kWanted{"loss",
                                                   "val_loss",
                                                   "eval_loss",
                                                   "train_loss",
                                                   "best_model_score",
                                                   "best_metric",
                                                   "best_loss",
                                                   "best_accuracy",
                                                   "accuracy",
                                                   "lr",
                                                   "learning_rate",
                                                   "weight_decay",
                                                   "batch_size",
                                                   "seed",
                                                   "epoch",
                                                   "global_step",
                                                   "step",
                                                   "max_steps",
                                                   "total_steps",
                                                   "model_type",
                                                   "hidden_size",
                                                   "num_hidden_layers",
                                                   "d_model",
                                                   "n_layer",
                                                   "vocab_size",
                                                   "dtype",
                                                   "torch_dtype",
                                                   "_last_lr",
                                                   "pytorch-lightning_version",
                                                   "transformers_version"};

std::string textOf(const Value& value) {
    if (const std::string* text = value.asString()) {
        return text->size() <= 64 ? *text : std::string();
    }
    if (const std::int64_t* integer = value.asInt()) {
        return std::to_string(*integer);
    }
    if (const double* real = value.asFloat()) {
        std::array<char, 32> digits{};
        const int length = std::snprintf(digits.data(), digits.size(), "%.6g", *real);
        return {digits.data(), static_cast<std::size_t>(std::max(0, length))};
    }
    const ValueNode* node = value.asNode();
    if (node != nullptr && node->kind == ValueKind::List && node->items.size() == 1) {
        return textOf(
            node->items.front().value); // [0.0003], the form in which schedulers store their rate
    }
    return {};
}

/// The first, shallowest occurrence of each requested key.
struct Highlights {
    std::map<std::string_view, std::pair<std::string, Value>> found;
    std::size_t visited = 0;

    void visit(const Value& value, int depth) {
        if (depth > kDeepest) {
            return;
        }
        for (const ValueItem& item : value.items()) {
            if (++visited > kMaxVisited) {
                return;
            }
            const std::string key = keyText(item.key);
            const auto* wanted = std::ranges::find(kWanted, key);
            if (wanted != kWanted.end() && !textOf(item.value).empty()) {
                found.try_emplace(*wanted, key, item.value);
            }
        }
        for (const ValueItem& item : value.items()) {
            // Rows of a log belong to other steps; the values of this step are in the headline.
            if (item.value.isContainer() && keyText(item.key) != "log_history") {
                visit(item.value, depth + 1);
            }
        }
    }
};

void addValues(SummaryFacts& facts, const Value& values) {
    Highlights highlights;
    highlights.visit(values, 0);
    const auto isHeadline = [&](std::string_view key) {
        return std::ranges::any_of(facts.headline, [&](const HeadlineNumber& number) {
            return number.name == key || (key == "lr" && number.name == "learning_rate");
        });
    };
    for (const std::string_view key : kWanted) {
        const auto at = highlights.found.find(key);
        const bool inHero =
            key == "epoch" || key == "step" || key == "global_step" || isHeadline(key);
        if (at != highlights.found.end() && !inHero && facts.values.size() < kMaxValues) {
            facts.values.emplace_back(at->second.first, textOf(at->second.second));
        }
    }
}

void addShards(SummaryFacts& facts, const Checkpoint& checkpoint) {
    std::vector<std::uint64_t> tensorsIn(checkpoint.files().size(), 0);
    std::vector<std::size_t> lastTensor(checkpoint.files().size(), SIZE_MAX);
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        bool incomplete = false;
        for (const Piece& piece : checkpoint.tensors()[i].pieces) {
            const std::size_t file = piece.file.position();
            if (lastTensor[file] != i) {
                lastTensor[file] = i;
                ++tensorsIn[file];
            }
            incomplete = incomplete || checkpoint.files()[file].missing;
        }
        facts.incompleteTensors += incomplete ? 1 : 0;
    }
    std::vector<std::size_t> present; // of the shards
    std::vector<ShardSize> sizes;
    for (std::size_t i = 0; i < checkpoint.files().size(); ++i) {
        const CheckpointFile& file = checkpoint.files()[i];
        if (!file.missing) {
            facts.writtenNs = std::max(facts.writtenNs, file.identity.mtimeNs);
        }
        if (file.source || (tensorsIn[i] == 0 && !file.missing)) {
            continue;
        }
        if (!file.missing) {
            present.push_back(facts.shards.size());
            sizes.push_back({file.path, file.identity.size});
        }
        facts.shards.push_back(
            {file.path, file.missing ? 0 : file.identity.size, tensorsIn[i], file.missing, 0});
    }
    const std::vector<double> against = shardEvenness(sizes);
    for (std::size_t i = 0; i < present.size(); ++i) {
        facts.shards[present[i]].against = against[i];
    }
}

void addRoles(SummaryFacts& facts, const Checkpoint& checkpoint) {
    std::map<Role, std::pair<RoleShare, std::map<Dtype, std::uint64_t>>> sums;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        const Role role = words::group(tensor.role);
        auto& [share, dtypes] = sums[role];
        share.role = role;
        ++share.tensors;
        if (!tensor.aliasOf) {
            share.bytes += tensor.bytes();
            dtypes[tensor.dtype] += tensor.bytes();
        }
    }
    for (auto& [role, sum] : sums) {
        auto& [share, dtypes] = sum;
        const auto most =
            std::ranges::max_element(dtypes, {}, [](const auto& entry) { return entry.second; });
        if (most != dtypes.end()) {
            share.dtype = most->first;
            share.oneDtype = dtypes.size() == 1;
        }
        facts.roles.push_back(share);
    }
}

} // namespace

Result<SummaryFacts> summarize(const CheckpointPtr& checkpoint, const CancelToken& cancel) {
    SummaryFacts facts;
    facts.totals = totals(*checkpoint);
    addShards(facts, *checkpoint);
    addRoles(facts, *checkpoint);
    CAIRN_CHECK(cancel.check());
    const RecordedTraining training = recordedTraining(*checkpoint, cancel);
    facts.position = training.position;
    facts.positionBecause = positionEvidence(training, checkpoint->path());
    if (const Result<Value> values = checkpoint->values(cancel)) {
        facts.headline = headlineOf(*checkpoint, *values, facts.position);
        addValues(facts, *values);
    } else {
        facts.valuesError = values.error();
    }
    CAIRN_TRY(const WeightValues weights, findWeightValues(checkpoint, cancel));
    facts.parameters = parameterCount(weights);
    CAIRN_TRY(const SavedValues saved, savedValues(*checkpoint, cancel));
    facts.valuesSaved = decideSaved(saved, checkpoint->path());
    CAIRN_CHECK(cancel.check());
    return facts;
}

} // namespace cairn::ui
