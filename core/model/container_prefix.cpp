// SPDX-License-Identifier: Apache-2.0
#include "core/model/container_prefix.h"

#include "core/model/names/role_words.h"
#include "core/model/wrapper_names.h"

#include <algorithm>

/// Which part of the names belongs to containers.
///
/// A training loop saves {"model": state_dict, "optimizer": …, "epoch": 3}; its weights are then
/// called "model.layers.0.weight" here, while the model itself uses "layers.0.weight". But the
/// names of a bare Llama state dict also begin with "model.", and dropping that would make the file
/// useless. The plain values show the difference: in the first case "model" is a key with a dict as
/// value, in the second "model.layers.0.weight" is the key. So a dict's key counts as a container
/// if all selected tensors are in it, and it either has siblings or is one of the usual names.
/// Wrappers (DistributedDataParallel's "module.", torch.compile's "_orig_mod.") are part of keys;
/// they are never names of real modules, and count if every selected name has them.
namespace cairn {
namespace {

bool allBegin(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
              std::string_view prefix) {
    return std::ranges::all_of(chosen, [&](TensorIndex index) {
        const std::string& name = source.tensor(index).name;
        return name.size() > prefix.size() && name.starts_with(prefix);
    });
}

/// The item of a dict that contains all selected tensors, or null.
const ValueItem* holdingItem(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
                             const Value& dict, const std::string& prefix) {
    for (const ValueItem& item : dict.items()) {
        if (item.value.kind() == ValueKind::Dict &&
            allBegin(source, chosen, prefix + keyText(item.key) + ".")) {
            return &item;
        }
    }
    return nullptr;
}

/// True for a dict from a training loop; the keys of a pickled nn.Module are its attributes.
bool mayBePacking(const Value& value) {
    const ValueNode* node = value.asNode();
    return node != nullptr && node->kind == ValueKind::Dict &&
           (node->className.empty() || node->className.starts_with("collections."));
}

} // namespace

std::string containerPrefix(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
                            const Value* values) {
    std::string prefix;
    if (chosen.empty()) {
        return prefix;
    }
    const Value* dict = values;
    for (int level = 0; dict != nullptr && mayBePacking(*dict) && level < 8; ++level) {
        const ValueItem* item = holdingItem(source, chosen, *dict, prefix);
        if (item == nullptr) {
            break;
        }
        const std::string key = keyText(item->key);
        const bool usual = names::isPackingKey(key);
        if (!usual && (level > 0 || dict->items().size() == 1)) {
            break;
        }
        prefix += key + ".";
        dict = &item->value;
    }
    while (true) {
        const std::string_view first = source.tensor(chosen.front()).name;
        const std::string_view rest = first.substr(prefix.size());
        const std::string_view part = rest.substr(0, rest.find('.'));
        const std::string longer = prefix + std::string(part) + ".";
        if (!isWrapperPart(part) || !allBegin(source, chosen, longer)) {
            return prefix;
        }
        prefix = longer;
    }
}

} // namespace cairn
