// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/member_values.h"

#include <unordered_set>
#include <utility>

namespace cairn::formats {
namespace {

Result<Value> loadValues(const std::vector<ValueItem>& documents,
                         const std::vector<NestedValues>& nested, const CancelToken& cancel) {
    std::vector<ValueItem> root = documents;
    std::unordered_set<std::string> keys; // shards repeat their `__metadata__`
    for (const NestedValues& item : nested) {
        CAIRN_CHECK(cancel.check());
        auto values = item.checkpoint->values(cancel);
        if (!values && values.error().code == ErrorCode::Cancelled) {
            return values;
        }
        if (!values) {
            continue; // one unreadable member hides no other
        }
        if (item.key.empty() && values->kind() == ValueKind::Null) {
            continue; // weights that nothing is said of
        }
        Value shifted = shiftTensors(*values, item.shift);
        if (!item.key.empty() || !shifted.isContainer()) {
            root.push_back({Value(item.key), std::move(shifted)});
            continue;
        }
        for (const ValueItem& own : shifted.items()) {
            if (keys.insert(keyText(own.key)).second) {
                root.push_back(own);
            }
        }
    }
    return Value::dict(std::move(root));
}

} // namespace

ValueLoader memberValues(std::vector<ValueItem> documents, std::vector<NestedValues> nested) {
    return [documents = std::move(documents), nested = std::move(nested)](
               const CancelToken& cancel) { return loadValues(documents, nested, cancel); };
}

} // namespace cairn::formats
