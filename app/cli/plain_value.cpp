// SPDX-License-Identifier: Apache-2.0
#include "app/cli/plain_value.h"

#include <algorithm>
#include <string>

namespace cairn::cli {

bool PlainValues::isScalar(const TensorEntry& tensor) const {
    if (!tensor.shape.empty() || tensor.bytes() > kMaxScalarBytes) {
        return false;
    }
    switch (dtypeInfo(tensor.dtype).kind) {
    case DtypeKind::Bool:
    case DtypeKind::Unsigned:
    case DtypeKind::Signed:
    case DtypeKind::Float:
        return true;
    default:
        return false;
    }
}

bool PlainValues::hasPlain(const Value& value) {
    if (const TensorIndex* tensor = value.asTensor()) {
        return isScalar(m_checkpoint.tensor(*tensor));
    }
    const ValueNode* node = value.asNode();
    if (node == nullptr || node->items.empty() || node->kind == ValueKind::Object) {
        return true;
    }
    if (const auto known = m_known.find(node); known != m_known.end()) {
        return known->second;
    }
    const bool plain = std::ranges::any_of(
        node->items, [this](const ValueItem& item) { return hasPlain(item.value); });
    m_known.emplace(node, plain);
    return plain;
}

} // namespace cairn::cli
