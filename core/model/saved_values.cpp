// SPDX-License-Identifier: Apache-2.0
#include "core/model/saved_values.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kUnreadable = "cairn.Unreadable";

ErrorCode codeNamed(const std::string& name) {
    static constexpr auto kCodes = std::to_array<ErrorCode>({
#define CAIRN_CODE(value, text, exitClass) ErrorCode::value,
        CAIRN_ERROR_CODES(CAIRN_CODE)
#undef CAIRN_CODE
    });
    const auto found = std::ranges::find(kCodes, name, errorName);
    return found != kCodes.end() ? *found : ErrorCode::Io;
}

Error errorOf(const ValueNode& node) {
    const auto textOf = [&](std::string_view wanted) {
        for (const ValueItem& item : node.items) {
            const std::string* text = item.value.asString();
            if (text != nullptr && keyText(item.key) == wanted) {
                return *text;
            }
        }
        return std::string();
    };
    Error error = fail(codeNamed(textOf("code")), verbatim(textOf("reason")));
    error.where.file = textOf("file");
    error.where.field = textOf("item");
    for (const ValueItem& item : node.items) {
        const std::int64_t* offset = item.value.asInt();
        if (offset != nullptr && *offset >= 0 && keyText(item.key) == "offset") {
            error.where.offset = static_cast<std::uint64_t>(*offset);
        }
    }
    return error;
}

/// Depth of the recursion is limited by Value::kMaxDepth.
class Separator {
public:
    SavedValues run(const Value& root) {
        SavedValues saved;
        m_saved = &saved;
        const auto usable = keep(root, std::string());
        saved.usable = usable.value_or(Value());
        return saved;
    }

private:
    /// Nothing: the value must be left out.
    std::optional<Value> keep(const Value& value, const std::string& path) {
        const ValueNode* node = value.asNode();
        if (node == nullptr) {
            return value;
        }
        if (const auto known = m_done.find(node); known != m_done.end()) {
            return known->second;
        }
        const bool unreadable = node->className == kUnreadable;
        std::optional<Value> kept = unreadable ? std::nullopt : keepNode(value, *node, path);
        if (unreadable) {
            ++m_saved->unusableCount;
            if (m_saved->unusable.size() < SavedValues::kMaxUnusable) {
                m_saved->unusable.push_back({path, errorOf(*node)});
            }
        }
        m_done.emplace(node, kept);
        return kept;
    }

    std::optional<Value> keepNode(const Value& value, const ValueNode& node,
                                  const std::string& path) {
        const bool named = node.kind == ValueKind::Dict || node.kind == ValueKind::Object;
        bool changed = false;
        bool cut = false;
        std::vector<ValueItem> items;
        items.reserve(node.items.size());
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const ValueItem& item = node.items[i];
            const std::string part = item.value.isContainer()
                                         ? (named ? keyText(item.key) : std::to_string(i))
                                         : std::string();
            auto kept = keep(item.value, path.empty() ? part : path + "." + part);
            if (!kept) {
                cut = true;
                continue;
            }
            changed = changed || kept->identity() != item.value.identity();
            items.push_back({item.key, std::move(*kept)});
        }
        if (cut && !named) {
            return std::nullopt;
        }
        if (!changed && !cut) {
            return value;
        }
        return Value::container({node.kind, node.className, std::move(items)});
    }

    SavedValues* m_saved = nullptr;
    std::unordered_map<const ValueNode*, std::optional<Value>> m_done;
};

} // namespace

Value unreadableValue(const Error& error) {
    std::vector<ValueItem> items{{Value("code"), Value(errorName(error.code))},
                                 {Value("message"), Value(describe(error))},
                                 {Value("reason"), Value(error.message.text())},
                                 {Value("file"), Value(error.where.file)},
                                 {Value("item"), Value(error.where.field)}};
    if (error.where.offset) {
        items.push_back({Value("offset"), Value(static_cast<std::int64_t>(*error.where.offset))});
    }
    return Value::object(std::string(kUnreadable), std::move(items));
}

SavedValues savedValues(const Value& values) {
    return Separator().run(values);
}

Result<Value> loadedValues(const Checkpoint& checkpoint, const CancelToken& cancel) {
    auto values = checkpoint.values(cancel);
    if (values || values.error().code == ErrorCode::Cancelled) {
        return values;
    }
    return unreadableValue(values.error());
}

Result<SavedValues> savedValues(const Checkpoint& checkpoint, const CancelToken& cancel) {
    CAIRN_TRY(const Value values, loadedValues(checkpoint, cancel));
    return savedValues(values);
}

} // namespace cairn
