// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/plain_values_diff.h"

#include "core/base/visible_text.h"

#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace cairn {
namespace {

using Leaves = std::map<std::string, Value>;

constexpr std::uint64_t kCancelEvery = 4096;

/// Values to be visited, with their keys: an explicit stack instead of recursion.
class Flattener {
public:
    explicit Flattener(const CancelToken& cancel) : m_cancel(cancel) {}

    Result<Leaves> run(const Value& root) {
        m_open.emplace_back(std::string(), root);
        while (!m_open.empty()) {
            if (++m_visited % kCancelEvery == 0) {
                CAIRN_CHECK(m_cancel.check());
            }
            if (m_visited > PlainValuesDiff::kMaxLeaves) {
                m_truncated = true;
                break;
            }
            auto [key, value] = std::move(m_open.back());
            m_open.pop_back();
            visit(key, value);
        }
        return std::move(m_leaves);
    }

    [[nodiscard]] bool truncated() const { return m_truncated; }

private:
    void visit(const std::string& key, const Value& value) {
        if (value.asTensor() != nullptr) {
            return;
        }
        const ValueNode* node = value.asNode();
        if (node == nullptr) {
            put(key, value);
            return;
        }
        if (node->kind == ValueKind::Object) {
            put(below(key, "$class"), Value(node->className));
        }
        if (node->items.empty()) {
            if (!key.empty()) {
                put(key, value);
            }
            return;
        }
        const bool named = node->kind == ValueKind::Dict || node->kind == ValueKind::Object;
        for (std::size_t i = 0; i < node->items.size(); ++i) {
            if (m_open.size() > PlainValuesDiff::kMaxLeaves) {
                m_truncated = true;
                return;
            }
            const ValueItem& item = node->items[i];
            m_open.emplace_back(below(key, named ? keyText(item.key) : std::to_string(i)),
                                item.value);
        }
    }

    void put(const std::string& key, const Value& value) {
        std::string own = key;
        for (int n = 2; !m_leaves.try_emplace(own, value).second; ++n) {
            own = key + " (" + std::to_string(n) + ")";
        }
    }

    static std::string below(const std::string& key, const std::string& part) {
        return key.empty() ? part : key + "." + part;
    }

    const CancelToken& m_cancel;
    std::vector<std::pair<std::string, Value>> m_open;
    Leaves m_leaves;
    std::uint64_t m_visited = 0;
    bool m_truncated = false;
};

} // namespace

std::string leafText(const Value& value) {
    constexpr std::size_t kMaxText = 60;
    std::string text;
    switch (value.kind()) {
    case ValueKind::Bool:
        text = *value.asBool() ? "True" : "False";
        break;
    case ValueKind::String:
        text = *value.asString();
        break;
    case ValueKind::Bytes:
        text = std::to_string(value.asBytes()->size()) + " bytes";
        break;
    case ValueKind::Null:
    case ValueKind::Int:
    case ValueKind::BigInt:
    case ValueKind::Float:
        text = keyText(value);
        break;
    default:
        text = "(empty)";
        break;
    }
    if (text.size() > kMaxText) {
        text = text.substr(0, kMaxText) + "…";
    }
    return visibleText(text);
}

Result<PlainValuesDiff> diffPlainValues(const Checkpoint& left, const Checkpoint& right,
                                        const CancelToken& cancel) {
    CAIRN_TRY(const Value leftRoot, left.values(cancel));
    CAIRN_TRY(const Value rightRoot, right.values(cancel));
    return diffPlainValues(leftRoot, rightRoot, cancel);
}

Result<PlainValuesDiff> diffPlainValues(const Value& leftRoot, const Value& rightRoot,
                                        const CancelToken& cancel) {
    Flattener leftWalk(cancel);
    Flattener rightWalk(cancel);
    CAIRN_TRY(const Leaves lefts, leftWalk.run(leftRoot));
    CAIRN_TRY(const Leaves rights, rightWalk.run(rightRoot));
    PlainValuesDiff diff;
    diff.truncated = leftWalk.truncated() || rightWalk.truncated();
    for (const auto& [key, value] : lefts) {
        const auto other = rights.find(key);
        if (other == rights.end()) {
            diff.onlyLeft.push_back({key, value, {}});
        } else if (sameLeaf(value, other->second)) {
            ++diff.same;
        } else {
            diff.changed.push_back({key, value, other->second});
        }
    }
    for (const auto& [key, value] : rights) {
        if (!lefts.contains(key)) {
            diff.onlyRight.push_back({key, {}, value});
        }
    }
    return diff;
}

} // namespace cairn
