// SPDX-License-Identifier: Apache-2.0
#include "app/cli/value_text.h"

#include "app/cli/plain_value.h"
#include "app/cli/text_table.h"
#include "core/base/visible_text.h"
#include "core/model/checked_elements.h"
#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace cairn::cli {
namespace {

constexpr std::size_t kMaxText = 100;

class Printer {
public:
    Printer(Session& session, const Checkpoint& checkpoint, std::size_t limit)
        : m_session(session), m_checkpoint(checkpoint), m_plain(checkpoint), m_left(limit) {}

    void print(const Value& value, const std::string& name) {
        if (m_left == 0) {
            return;
        }
        const ValueNode* node = value.asNode();
        if (node == nullptr || node->items.empty()) {
            if (!name.empty()) {
                printField(m_session, visibleText(name), " " + textOf(value));
                if (--m_left == 0) {
                    m_session.out.line("… (-v shows more, --json all)");
                }
            }
            return;
        }
        if (node->className == "cairn.Unreadable") {
            printField(m_session, visibleText(name), " unreadable" + reasonOf(*node));
            --m_left;
            return;
        }
        const bool keyed = node->kind == ValueKind::Dict || node->kind == ValueKind::Object;
        for (std::size_t i = 0; i < node->items.size() && m_left > 0; ++i) {
            const ValueItem& item = node->items[i];
            if (m_plain.hasPlain(item.value)) {
                const std::string part = keyed ? keyText(item.key) : std::to_string(i);
                print(item.value, name.empty() ? part : name + "." + part);
            }
        }
    }

private:
    std::string textOf(const Value& value) const {
        switch (value.kind()) {
        case ValueKind::Null:
            return "None";
        case ValueKind::Bool:
            return *value.asBool() ? "True" : "False";
        case ValueKind::Int:
            return std::to_string(*value.asInt());
        case ValueKind::BigInt:
            return elideMiddle(value.asBigInt()->digits, kMaxText);
        case ValueKind::Float:
            return numberText(*value.asFloat());
        case ValueKind::String:
            return elideMiddle(*value.asString(), kMaxText);
        case ValueKind::Bytes:
            return std::to_string(value.asBytes()->size()) + " bytes";
        case ValueKind::Tensor:
            return scalarText(*value.asTensor());
        case ValueKind::Object:
            return "<" + value.asNode()->className + ">";
        default:
            return "(empty)";
        }
    }

    static std::string reasonOf(const ValueNode& node) {
        for (const ValueItem& item : node.items) {
            if (keyText(item.key) == "message" && item.value.asString() != nullptr) {
                return ": " + elideMiddle(*item.value.asString(), kMaxText);
            }
        }
        return {};
    }

    std::string scalarText(TensorIndex index) const {
        const TensorEntry& tensor = m_checkpoint.tensor(index);
        const auto read = readChecked(m_checkpoint, tensor, PlainValues::kMaxScalarBytes);
        return read ? elementText(tensor.dtype, read->bytes) : "unreadable";
    }

    Session& m_session;
    const Checkpoint& m_checkpoint;
    PlainValues m_plain;
    std::size_t m_left;
};

} // namespace

std::string numberText(double number) {
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return {buffer.data(), end.ptr};
}

std::string exactText(const Number& number) {
    return number.rest != 0 ? number.digits() : numberText(number.nearest);
}

std::string figureText(double number) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.5g", number);
    return std::isnan(number) ? "-" : buffer.data();
}

void printValues(Session& session, const Value& values, const Checkpoint& checkpoint,
                 std::size_t limit) {
    Printer printer(session, checkpoint, limit);
    if (values.kind() != ValueKind::Dict) {
        printer.print(values, "");
        return;
    }
    std::vector<ValueItem> items(values.items().begin(), values.items().end());
    std::stable_partition(items.begin(), items.end(), [](const ValueItem& item) {
        return !keyText(item.key).starts_with("optim");
    });
    printer.print(Value::dict(std::move(items)), "");
}

} // namespace cairn::cli
