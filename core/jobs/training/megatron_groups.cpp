// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/megatron_groups.h"

#include "core/model/single_number.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace cairn::megatron_groups {
namespace {

/// Of Megatron-core's groups only; Adam of torch does not know them.
constexpr auto kGroupKeys = std::to_array<std::string_view>(
    {"wd_mult", "lr_mult", "is_expert_parallel", "is_decoupled_lr", "default_config", "max_lr",
     "min_lr", "step", "start_wd", "end_wd", "pre_wd_mult", "pre_lr_mult"});
/// Which parameters are in a group, and what a scheduler of torch adds.
constexpr auto kGroupLists =
    std::to_array<std::string_view>({"params", "param_names", "initial_lr"});

template <std::size_t n>
bool isListed(const std::array<std::string_view, n>& all, std::string_view key) {
    return std::ranges::find(all, key) != all.end();
}

bool equalValues(const Value& left, const Value& right) {
    if (!left.isContainer() || !right.isContainer()) {
        return left.isContainer() == right.isContainer() && sameLeaf(left, right);
    }
    return left.items().size() == right.items().size() &&
           std::ranges::equal(left.items(), right.items(),
                              [](const ValueItem& a, const ValueItem& b) {
                                  return equalValues(a.value, b.value);
                              });
}

/// A tensor of one element as its number: the learning rate of a capturable optimizer.
Value plainValue(const Checkpoint& source, const Value& value) {
    if (const TensorIndex* tensor = value.asTensor()) {
        if (const auto number = singleNumber(source, source.tensor(*tensor))) {
            return {*number};
        }
    }
    return value;
}

Error differing(const OptimizerState& optimizer, const std::string& key) {
    return fail(ErrorCode::Unsupported,
                "The groups of the optimizer differ in a setting of which Megatron-core has one")
        .inField(optimizer.place + ".param_groups: " + key)
        .withHint("Use --for torch or fsdp2");
}

Error withoutRate(const std::string& place) {
    return fail(ErrorCode::Unsupported, "The optimizer's groups have no learning rate")
        .inField(place);
}

const Value* valueOf(const std::map<std::string, Value>& settings, const std::string& key) {
    const auto found = settings.find(key);
    return found == settings.end() ? nullptr : &found->second;
}

bool isTrue(const Value* value) {
    const bool* flag = value != nullptr ? value->asBool() : nullptr;
    return flag != nullptr && *flag;
}

/// Of an optimizer whose moments are those of Adam, but not its steps.
std::vector<TrainingLoss> lossesOf(const std::map<std::string, Value>& settings, bool decays) {
    std::vector<TrainingLoss> losses;
    const Value* decoupled = valueOf(settings, "decoupled_weight_decay");
    const bool* flag = decoupled != nullptr ? decoupled->asBool() : nullptr;
    if (decays && flag != nullptr && !*flag) {
        losses.push_back({LossId::Optimizer, "weight decay as a part of the gradients",
                          "Megatron-core's Adam decays the parameters themselves"});
    }
    if (isTrue(valueOf(settings, "maximize"))) {
        losses.push_back({LossId::Optimizer, "the direction of the steps (maximize)",
                          "Megatron-core's Adam makes the loss smaller"});
    }
    // Adam's groups in torch, in apex and in older versions of transformers.
    constexpr auto kOfAdam =
        std::to_array<std::string_view>({"amsgrad", "bias_correction", "correct_bias"});
    const bool isAdam = std::ranges::any_of(kOfAdam, [&](std::string_view key) {
        return valueOf(settings, std::string(key)) != nullptr;
    });
    if (!isAdam) {
        losses.push_back({LossId::Optimizer, "the steps of an optimizer that is not Adam",
                          "its groups have none of Adam's settings; Megatron-core continues with "
                          "AdamW"});
    }
    return losses;
}

} // namespace

bool isDecayed(std::string_view name, const Shape& shape) {
    return shape.size() != 1 && !name.ends_with(".bias");
}

Result<Settings> settingsOf(const Checkpoint& source, const OptimizerState& optimizer,
                            const std::vector<bool>& decayed) {
    std::map<std::string, Value> common;
    std::vector<std::string> order;
    Settings settings;
    std::optional<double> decay;
    std::optional<double> lr;
    for (std::size_t i = 0; i < optimizer.parameters.size(); ++i) {
        const Value& group = optimizer.groups.at(optimizer.parameters[i].group);
        std::size_t known = 0;
        double ownDecay = 0;
        for (const ValueItem& item : group.items()) {
            const std::string key = keyText(item.key);
            if (isListed(kGroupLists, key)) {
                continue;
            }
            const Value value = plainValue(source, item.value);
            if (key == "weight_decay") {
                const auto number = numberOf(value);
                if (!number) {
                    return differing(optimizer, key);
                }
                ownDecay = *number;
                continue;
            }
            ++known;
            const auto [at, isNew] = common.try_emplace(key, value);
            if (isNew && i > 0) {
                return differing(optimizer, key);
            }
            if (isNew) {
                order.push_back(key);
            }
            if (!equalValues(at->second, value)) {
                return differing(optimizer, key);
            }
            if (key == "lr") {
                lr = numberOf(value);
            }
        }
        if (known != common.size()) {
            return differing(optimizer, "the settings themselves");
        }
        if (decayed[i]) {
            if (decay && *decay != ownDecay) {
                return differing(optimizer, "weight_decay");
            }
            decay = ownDecay;
        } else if (ownDecay != 0) {
            ++settings.notDecayed;
        }
    }
    if (!lr) {
        return withoutRate(optimizer.place);
    }
    for (const std::string& key : order) {
        if (!isListed(kGroupKeys, key)) {
            settings.items.push_back({Value(key), common.at(key)});
        }
    }
    settings.lr = *lr;
    settings.decay = decay.value_or(0);
    settings.losses = lossesOf(common, settings.decay != 0 || settings.notDecayed > 0);
    return settings;
}

Value groupsFor(const Settings& settings, std::int64_t updates, const std::vector<bool>& decayed) {
    std::vector<Value> groups;
    for (const bool decays : {false, true}) {
        if (std::ranges::find(decayed, decays) == decayed.end()) {
            continue;
        }
        std::vector<ValueItem> items = settings.items;
        const auto add = [&](std::string_view key, Value value) {
            items.push_back({Value(key), std::move(value)});
        };
        add("weight_decay", Value(decays ? settings.decay : 0.0));
        add("wd_mult", Value(decays ? 1.0 : 0.0));
        add("lr_mult", Value(1.0));
        add("is_expert_parallel", Value(false));
        add("is_decoupled_lr", Value(false));
        add("default_config", Value(true));
        add("max_lr", Value(settings.lr));
        add("min_lr", Value(0.0));
        add("step", Value(updates)); // of fused optimizers and of the distributed one
        groups.push_back(Value::dict(std::move(items)));
    }
    return Value::list(std::move(groups));
}

Result<Pair> pairOf(std::span<const ValueItem> groups) {
    const auto unknown = [](Sentence found) {
        return fail(ErrorCode::Unsupported,
                    "The checkpoint does not record which parameters are in which group of the "
                    "optimizer")
            .inField("optimizer.param_groups")
            .butFound(std::move(found))
            .expecting("one group, or one with weight decay and one without (wd_mult 1 and 0)");
    };
    Pair pair;
    bool hasPlain = false;
    bool hasDecayed = false;
    for (const ValueItem& item : groups) {
        const Value& group = item.value;
        const Value* multiplier = group.find("wd_mult");
        multiplier = multiplier != nullptr ? multiplier : group.find("pre_wd_mult");
        const auto decay = multiplier != nullptr ? numberOf(*multiplier) : std::nullopt;
        const Value* rate = group.find("lr_mult");
        rate = rate != nullptr ? rate : group.find("pre_lr_mult");
        const bool isOther = isTrue(group.find("is_expert_parallel")) ||
                             isTrue(group.find("is_decoupled_lr")) ||
                             (rate != nullptr && numberOf(*rate) != 1.0);
        const bool isDecay = decay == 1.0;
        if (isOther || !decay || (!isDecay && *decay != 0) || (isDecay ? hasDecayed : hasPlain)) {
            return unknown(isOther ? Sentence("a group of experts, or with its own learning rate")
                                   : "other groups");
        }
        if (group.find("lr") == nullptr) {
            return withoutRate("optimizer.param_groups");
        }
        (isDecay ? hasDecayed : hasPlain) = true;
        for (const ValueItem& each : group.items()) {
            const std::string key = keyText(each.key);
            if (!isListed(kGroupKeys, key) && !isListed(kGroupLists, key)) {
                (isDecay ? pair.decayed : pair.plain).push_back(each);
            }
        }
    }
    if (!hasPlain && !hasDecayed) {
        return unknown("no group");
    }
    pair.isOne = hasPlain != hasDecayed;
    if (pair.isOne) {
        (hasPlain ? pair.decayed : pair.plain) = hasPlain ? pair.plain : pair.decayed;
    }
    return pair;
}

} // namespace cairn::megatron_groups
