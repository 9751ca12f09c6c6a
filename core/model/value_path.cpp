// SPDX-License-Identifier: Apache-2.0
#include "core/model/value_path.h"

#include <cstddef>
#include <string>

namespace cairn {
namespace {

const Value* childOf(const Value& value, std::string_view key) {
    const ValueNode* node = value.asNode();
    if (node == nullptr) {
        return nullptr;
    }
    const bool keyed = node->kind == ValueKind::Dict || node->kind == ValueKind::Object;
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const std::string name = keyed ? keyText(node->items[i].key) : std::to_string(i);
        if (name == key) {
            return &node->items[i].value;
        }
    }
    return nullptr;
}

const Value* valueBelow(const Value& root, std::string_view path, int depth) {
    if (path.empty()) {
        return &root;
    }
    if (depth > Value::kMaxDepth) {
        return nullptr;
    }
    // longest key first: "a.b" before "a" then "b"
    for (std::size_t end = path.size(); end != std::string_view::npos && end > 0;
         end = path.rfind('.', end - 1)) {
        if (const Value* child = childOf(root, path.substr(0, end))) {
            const std::string_view rest =
                end < path.size() ? path.substr(end + 1) : std::string_view();
            if (const Value* found = valueBelow(*child, rest, depth + 1)) {
                return found;
            }
        }
    }
    return nullptr;
}

} // namespace

const Value* valueAt(const Value& root, std::string_view dottedPath) {
    return valueBelow(root, dottedPath, 0);
}

} // namespace cairn
