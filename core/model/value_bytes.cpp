// SPDX-License-Identifier: Apache-2.0
#include "core/model/value_bytes.h"

#include "core/base/endian.h"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kMaxContainers = kMaxValueItems + 1;

enum class Tag : std::uint8_t {
    Null,
    False,
    True,
    Int,
    Float,
    String,
    BigInt,
    Bytes,
    Tensor,
    Node
};

class Encoder {
public:
    Result<std::vector<std::byte>> run(const Value& root) {
        number(kVersion);
        number(std::uint64_t{0});
        CAIRN_CHECK(containers(root));
        storeLittle(std::span(m_out), sizeof kVersion, m_count);
        value(root);
        return std::move(m_out);
    }

private:
    struct Frame {
        const ValueNode* node;
        std::size_t next = 0; ///< alternates between keys and values
    };

    /// Writes containers in post-order: each after the containers in it.
    Result<void> containers(const Value& root) {
        push(root);
        while (!m_stack.empty()) {
            Frame& frame = m_stack.back();
            if (frame.next < 2 * frame.node->items.size()) {
                const ValueItem& item = frame.node->items[frame.next / 2];
                const bool isKey = frame.next++ % 2 == 0;
                push(isKey ? item.key : item.value);
                continue;
            }
            const ValueNode* node = frame.node;
            m_stack.pop_back();
            if (m_known.contains(node)) {
                continue;
            }
            m_items += node->items.size();
            if (m_items > kMaxValueItems || m_count >= kMaxContainers) {
                return fail(ErrorCode::LimitExceeded, "Too many plain values to be stored")
                    .expecting(sentence("at most %1", kMaxValueItems));
            }
            container(*node);
            m_known.emplace(node, m_count++);
        }
        return {};
    }

    void push(const Value& value) {
        const ValueNode* node = value.asNode();
        if (node != nullptr && !m_known.contains(node)) {
            m_stack.push_back({node});
        }
    }

    void container(const ValueNode& node) {
        tag(static_cast<std::uint8_t>(node.kind));
        text(asBytes(node.className));
        number(std::uint64_t{node.items.size()});
        for (const ValueItem& item : node.items) {
            value(item.key);
            value(item.value);
        }
    }

    void value(const Value& value) {
        if (const bool* truth = value.asBool()) {
            tag(*truth ? Tag::True : Tag::False);
        } else if (const std::int64_t* integer = value.asInt()) {
            tag(Tag::Int);
            number(*integer);
        } else if (const double* real = value.asFloat()) {
            tag(Tag::Float);
            number(std::bit_cast<std::uint64_t>(*real));
        } else if (const std::string* string = value.asString()) {
            tag(Tag::String);
            text(asBytes(*string));
        } else if (const BigInt* big = value.asBigInt()) {
            tag(Tag::BigInt);
            text(asBytes(big->digits));
        } else if (const std::vector<std::byte>* bytes = value.asBytes()) {
            tag(Tag::Bytes);
            text(*bytes);
        } else if (const TensorIndex* tensor = value.asTensor()) {
            tag(Tag::Tensor);
            number(static_cast<std::uint32_t>(tensor->position()));
        } else if (const ValueNode* node = value.asNode()) {
            tag(Tag::Node);
            number(m_known.at(node));
        } else {
            tag(Tag::Null);
        }
    }

    void tag(Tag tag) { m_out.push_back(static_cast<std::byte>(tag)); }
    void tag(std::uint8_t tag) { m_out.push_back(static_cast<std::byte>(tag)); }
    template <class T> void number(T value) {
        m_out.resize(m_out.size() + sizeof value);
        storeLittle(std::span(m_out), m_out.size() - sizeof value, value);
    }
    void text(std::span<const std::byte> bytes) {
        number(std::uint64_t{bytes.size()});
        m_out.insert(m_out.end(), bytes.begin(), bytes.end());
    }

    std::vector<std::byte> m_out;
    std::vector<Frame> m_stack;
    std::unordered_map<const ValueNode*, std::uint64_t> m_known;
    std::uint64_t m_count = 0;
    std::uint64_t m_items = 0;
};

class Decoder {
public:
    Decoder(std::span<const std::byte> bytes, std::uint64_t tensors)
        : m_bytes(bytes), m_tensors(tensors) {}

    Result<Value> run() {
        CAIRN_TRY(const auto version, number<std::uint32_t>());
        if (version != kVersion) {
            return fail(ErrorCode::BadEncoding, "Unsupported version of the plain values")
                .at(0)
                .butFound(verbatim(std::to_string(version)));
        }
        CAIRN_TRY(const auto count, number<std::uint64_t>());
        if (count > kMaxContainers) {
            return tooMany();
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            CAIRN_CHECK(container());
        }
        CAIRN_TRY(Entry root, value());
        if (m_at != m_bytes.size()) {
            return wrong("Trailing bytes after the plain values");
        }
        return std::move(root.value);
    }

private:
    struct Entry {
        Value value;
        int depth = 0; ///< levels of containers in it
    };

    [[nodiscard]] Error wrong(Sentence message) const {
        return fail(ErrorCode::BadEncoding, std::move(message)).at(m_at);
    }
    [[nodiscard]] Error tooMany() const {
        return fail(ErrorCode::LimitExceeded, "Too many plain values")
            .at(m_at)
            .expecting(sentence("at most %1", kMaxValueItems));
    }

    Result<std::span<const std::byte>> take(std::uint64_t count) {
        if (count > m_bytes.size() - m_at) {
            return fail(ErrorCode::Truncated, "The plain values are truncated").at(m_at);
        }
        const auto bytes = m_bytes.subspan(m_at, static_cast<std::size_t>(count));
        m_at += bytes.size();
        return bytes;
    }
    template <class T> Result<T> number() {
        CAIRN_TRY(const auto bytes, take(sizeof(T)));
        return loadLittle<T>(bytes);
    }
    Result<std::string> text() {
        CAIRN_TRY(const auto length, number<std::uint64_t>());
        CAIRN_TRY(const auto bytes, take(length));
        return std::string(asText(bytes));
    }

    Result<void> container() {
        CAIRN_TRY(const auto kind, number<std::uint8_t>());
        if (kind < static_cast<std::uint8_t>(ValueKind::List) ||
            kind > static_cast<std::uint8_t>(ValueKind::Object)) {
            return wrong("Unknown type of a plain value");
        }
        ValueNode node{static_cast<ValueKind>(kind), {}, {}};
        CAIRN_TRY(node.className, text());
        CAIRN_TRY(const auto items, number<std::uint64_t>());
        m_items += std::min(items, kMaxValueItems + 1);
        if (m_items > kMaxValueItems) {
            return tooMany();
        }
        int depth = 0;
        for (std::uint64_t i = 0; i < items; ++i) {
            CAIRN_TRY(Entry key, value());
            CAIRN_TRY(Entry held, value());
            depth = std::max({depth, key.depth, held.depth});
            node.items.push_back({std::move(key.value), std::move(held.value)});
        }
        if (depth >= Value::kMaxDepth) {
            return fail(ErrorCode::LimitExceeded, "The plain values are nested too deep").at(m_at);
        }
        m_nodes.push_back({Value::container(std::move(node)), depth + 1});
        return {};
    }

    Result<Entry> value() {
        CAIRN_TRY(const auto tag, number<std::uint8_t>());
        switch (static_cast<Tag>(tag)) {
        case Tag::Null:
            return Entry{};
        case Tag::False:
        case Tag::True:
            return Entry{Value(static_cast<Tag>(tag) == Tag::True)};
        case Tag::Int: {
            CAIRN_TRY(const auto integer, number<std::int64_t>());
            return Entry{Value(integer)};
        }
        case Tag::Float: {
            CAIRN_TRY(const auto bits, number<std::uint64_t>());
            return Entry{Value(std::bit_cast<double>(bits))};
        }
        case Tag::String: {
            CAIRN_TRY(std::string string, text());
            return Entry{Value(std::move(string))};
        }
        case Tag::BigInt: {
            CAIRN_TRY(std::string digits, text());
            return Entry{Value(BigInt{std::move(digits)})};
        }
        case Tag::Bytes: {
            CAIRN_TRY(const auto length, number<std::uint64_t>());
            CAIRN_TRY(const auto bytes, take(length));
            return Entry{Value::bytes({bytes.begin(), bytes.end()})};
        }
        case Tag::Tensor:
            return tensor();
        case Tag::Node:
            return known();
        }
        return wrong("Unknown type of a plain value");
    }

    Result<Entry> tensor() {
        CAIRN_TRY(const auto index, number<std::uint32_t>());
        if (index >= m_tensors) {
            return wrong("A plain value refers to a missing tensor");
        }
        return Entry{Value(TensorIndex(index))};
    }

    Result<Entry> known() {
        CAIRN_TRY(const auto index, number<std::uint64_t>());
        if (index >= m_nodes.size()) {
            return wrong("A plain value refers to a later one");
        }
        return m_nodes[static_cast<std::size_t>(index)];
    }

    std::span<const std::byte> m_bytes;
    std::uint64_t m_tensors;
    std::size_t m_at = 0;
    std::uint64_t m_items = 0;
    std::vector<Entry> m_nodes;
};

} // namespace

Result<std::vector<std::byte>> valueToBytes(const Value& value) {
    return Encoder().run(value);
}

Result<Value> valueFromBytes(std::span<const std::byte> bytes, std::uint64_t tensors) {
    return Decoder(bytes, tensors).run();
}

} // namespace cairn
