// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/wandb/settings.h"

#include "core/runs/history/common/json_settings.h"

namespace cairn::history::wandb {
namespace {

constexpr std::size_t kMaxSettings = 100'000;
constexpr std::size_t kMaxJsonInAll = std::size_t{16} << 20U; ///< total of all updates

} // namespace

Settings::Node* Settings::find(const Item& item, Missing missing) {
    const auto path = item.path();
    if (path.empty() || path.front() == "_wandb") {
        return nullptr;
    }
    Node* node = &m_root;
    for (const std::string& part : path) {
        expand(*node);
        auto place = node->inner.find(part);
        if (place == node->inner.end()) {
            const bool creates = missing == Missing::Created;
            if (!creates || m_count >= kMaxSettings) {
                m_full = m_full || creates;
                return nullptr;
            }
            ++m_count;
            place = node->inner.try_emplace(part).first;
        }
        node = &place->second;
    }
    return node;
}

/// Splits a dict that was stored as one value, so that single keys can be replaced.
void Settings::expand(Node& node) {
    if (node.inner.empty() && node.leaf.kind() == ValueKind::Dict) {
        for (const ValueItem& item : node.leaf.items()) {
            node.inner[keyText(item.key)].leaf = item.value;
            ++m_count;
        }
    }
}

void Settings::apply(const Record& record) {
    JsonOptions options;
    options.maxDepth = 200;
    options.maxValues = kMaxSettings;
    for (const Item& item : record.given()) {
        Node* node = find(item, Missing::Created);
        if (node == nullptr) {
            continue;
        }
        m_jsonBytes += item.json.size();
        if (m_jsonBytes > kMaxJsonInAll) {
            m_full = true;
            return;
        }
        const auto json = parseJson(item.json, "config", options);
        if (!json) {
            ++m_damaged;
            continue;
        }
        node->inner.clear();
        node->leaf = valueOf(*json);
        node->removed = false;
    }
    for (const Item& item : record.removed) {
        if (Node* node = find(item, Missing::Ignored)) {
            node->removed = true;
        }
    }
}

/// Recursion is limited by the longest path, which the record's reader limits.
Value Settings::valueOfNode(const Node& node) {
    if (node.inner.empty()) {
        return node.leaf;
    }
    std::vector<ValueItem> items;
    for (const auto& [key, inner] : node.inner) {
        if (!inner.removed) {
            items.push_back({Value(key), valueOfNode(inner)});
        }
    }
    return Value::dict(std::move(items));
}

Value Settings::value() const {
    return valueOfNode(m_root);
}

} // namespace cairn::history::wandb
