// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Shared by the tests of pickles: parsing, and values as text.
namespace cairn::pickle {

inline std::span<const std::byte> view(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

inline std::string hex(std::span<const std::byte> bytes) {
    std::string out;
    for (const std::byte b : bytes) {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", std::to_integer<unsigned>(b));
        out += digits;
    }
    return out;
}

inline std::string unhex(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        out += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
    }
    return out;
}

/// In the notation of Python's float.hex().
inline std::string hexFloat(double value) {
    if (value != value) {
        return "nan";
    }
    char out[64];
    std::snprintf(out, sizeof(out), "%.13a", value);
    std::string text = out;
    if (text == "0x0.0000000000000p+0" || text == "-0x0.0000000000000p+0") {
        return text[0] == '-' ? "-0x0.0p+0" : "0x0.0p+0";
    }
    return text;
}

/// The value in the notation of pickle_corpus.py. Only for small trees without cycles.
inline std::string dump(const PickleGraph& g, NodeId id);

inline std::string dumpAll(const PickleGraph& g, std::span<const NodeId> items) {
    std::string out;
    for (const NodeId item : items) {
        out += (out.empty() ? "" : ",") + dump(g, item);
    }
    return out;
}

inline std::string dumpPairs(const PickleGraph& g, PairView pairs) {
    std::string out;
    for (const auto [key, value] : pairs) {
        out += (out.empty() ? "" : ",") + dump(g, key) + "=" + dump(g, value);
    }
    return "{" + out + "}";
}

inline std::string dumpObject(const PickleGraph& g, NodeId id) {
    const GlobalName name = g.calleeName(id);
    std::string out = std::string(name.module) + "." + std::string(name.name) + "(" +
                      dumpAll(g, g.items(g.args(id))) + ")";
    if (!g.pairs(id).empty()) {
        out += dumpPairs(g, g.pairs(id));
    }
    if (g.state(id).present()) {
        out += "<" + dump(g, g.state(id)) + ">";
    }
    return out;
}

inline std::string dump(const PickleGraph& g, NodeId id) {
    switch (g.kind(id)) {
    case NodeKind::Absent:
        return "absent";
    case NodeKind::None:
        return "None";
    case NodeKind::Bool:
        return g.boolean(id) ? "True" : "False";
    case NodeKind::Int:
    case NodeKind::BigInt:
        return g.integerText(id);
    case NodeKind::Float:
        return hexFloat(g.number(id));
    case NodeKind::Str:
        return "s:" + hex(g.bytes(id));
    case NodeKind::Bytes:
        return "b:" + hex(g.bytes(id));
    case NodeKind::ByteArray:
        return "ba:" + hex(g.bytes(id));
    case NodeKind::Tuple:
        return "(" + dumpAll(g, g.items(id)) + ")";
    case NodeKind::List:
        return "[" + dumpAll(g, g.items(id)) + "]";
    case NodeKind::Dict:
        return dumpPairs(g, g.pairs(id));
    case NodeKind::Set:
        return "set[" + dumpAll(g, g.items(id)) + "]";
    case NodeKind::FrozenSet:
        return "frozenset[" + dumpAll(g, g.items(id)) + "]";
    case NodeKind::Global:
        return "global " + std::string(g.global(id).module) + "." + std::string(g.global(id).name);
    case NodeKind::Object:
        return dumpObject(g, id);
    case NodeKind::PersistentId:
        return "pid " + dump(g, g.payload(id));
    case NodeKind::Buffer:
        return "buffer " + std::to_string(g.bufferIndex(id));
    }
    return "?";
}

/// The graph keeps a copy of exactly these bytes, so that a sanitizer sees a read past their end.
inline PickleBytes owned(std::span<const std::byte> bytes) {
    return std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
}

inline Result<PickleGraph> parsed(std::span<const std::byte> bytes) {
    return parsePickle(owned(bytes));
}

inline std::string dumpOf(std::span<const std::byte> bytes) {
    const auto graph = parsed(bytes);
    return graph ? dump(*graph, graph->root()) : describe(graph.error());
}

inline ErrorCode codeOf(std::span<const std::byte> bytes, PickleLimits limits = {}) {
    const auto graph = parsePickle(owned(bytes), limits);
    if (graph) {
        ADD_FAILURE() << "was accepted";
        return ErrorCode::Internal;
    }
    EXPECT_TRUE(graph.error().where.offset.has_value());
    return graph.error().code;
}

} // namespace cairn::pickle
