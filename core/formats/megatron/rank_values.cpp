// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/rank_values.h"

#include "core/formats/megatron/parameter_names.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace cairn::formats::megatron {
namespace {

/// True for the keys of the file's dict that contain the model.
bool isModelKey(const Value& key) {
    const std::string* text = key.asString();
    return text != nullptr && nameInModel(*text + ".").has_value();
}

bool hasTensors(const Value& value, std::set<const ValueNode*>& seen) {
    if (value.asTensor() != nullptr) {
        return true;
    }
    const ValueNode* node = value.asNode();
    return node != nullptr && seen.insert(node).second &&
           std::ranges::any_of(node->items,
                               [&](const ValueItem& item) { return hasTensors(item.value, seen); });
}

} // namespace

void addOwnTensors(CheckpointData& data, RankSet& ranks) {
    for (RankFile& file : ranks.files()) {
        const std::string prefix = ranks.prefixOf(file);
        for (std::size_t i = 0; i < file.member.tensors.size(); ++i) {
            if (file.member.used[i]) {
                continue;
            }
            TensorEntry entry = file.member.tensors[i];
            entry.name = prefix + entry.name;
            if (entry.aliasOf) {
                entry.aliasOf = file.member.placed[entry.aliasOf->position()];
            }
            file.member.placed[i] = TensorIndex(data.tensors.size());
            data.tensors.push_back(std::move(entry));
        }
    }
}

Value mergedValues(const RankSet& ranks, std::vector<ValueItem> model) {
    std::vector<ValueItem> root;
    std::vector<ValueItem> ofRanks;
    const bool merged = !model.empty();
    bool first = true;
    for (const RankFile& file : ranks.files()) {
        const Value values = movedTensors(file.member.root, file.member.placed);
        if (!file.stem.empty() || !values.isContainer()) {
            ofRanks.push_back({Value(file.folder.name + "." + file.stem), values});
            continue;
        }
        std::vector<ValueItem> own;
        for (const ValueItem& item : values.items()) {
            std::set<const ValueNode*> seen;
            const bool ofModel = isModelKey(item.key);
            const bool shown = !(merged && ofModel);
            if (ranks.isSingle() && shown) {
                root.push_back(item);
            } else if (!ranks.isSingle() && shown && hasTensors(item.value, seen)) {
                own.push_back(item);
            } else if (first && !ofModel) {
                root.push_back(item);
            }
        }
        first = false;
        if (!own.empty()) {
            ofRanks.push_back({Value(file.folder.name), Value::dict(std::move(own))});
        }
    }
    if (merged) {
        root.push_back({Value("model"), Value::dict(std::move(model))});
    }
    std::ranges::move(ofRanks, std::back_inserter(root));
    return Value::dict(std::move(root));
}

} // namespace cairn::formats::megatron
