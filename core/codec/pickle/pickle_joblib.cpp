// SPDX-License-Identifier: Apache-2.0
#include "core/base/checked.h"
#include "core/codec/pickle/pickle_machine.h"

#include <algorithm>
#include <charconv>

// joblib writes arrays between two opcodes: after the BUILD of a NumpyArrayWrapper come the array's
// own bytes, or a complete pickle if its elements are objects, and then the stream continues.
// Source: joblib 1.5, numpy_pickle.py, NumpyArrayWrapper.read_array.

namespace cairn::pickle {
namespace {

constexpr int kMaxFields = 8; ///< maximum nesting of structured dtypes

struct ElementKind {
    std::uint64_t bytes = 0;
    bool objects = false;
};

std::optional<ElementKind> elementKindOf(const PickleGraph& graph, NodeId dtype, int depth) {
    const auto args = graph.items(graph.args(dtype));
    if (depth > kMaxFields || graph.calleeName(dtype) != GlobalName{"numpy", "dtype"} ||
        args.empty()) {
        return std::nullopt;
    }
    const std::string_view text = graph.text(args[0]);
    ElementKind kind;
    if (text.size() < 2) {
        return std::nullopt;
    }
    const auto [end, error] =
        std::from_chars(text.data() + 1, text.data() + text.size(), kind.bytes);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    const auto bytes = checkedMul(kind.bytes, text[0] == 'U' ? 4 : 1);
    if (!bytes) {
        return std::nullopt;
    }
    kind.bytes = *bytes;
    kind.objects = text[0] == 'O';
    const auto state = graph.items(graph.state(dtype));
    if (state.size() > 4) {
        for (const auto& [name, field] : graph.pairs(state[4])) {
            const auto parts = graph.items(field);
            const auto inner =
                parts.empty() ? std::nullopt : elementKindOf(graph, parts[0], depth + 1);
            if (!inner) {
                return std::nullopt;
            }
            kind.objects = kind.objects || inner->objects;
        }
    }
    return kind;
}

} // namespace

bool PickleMachine::isArrayWrapper(NodeId target) const {
    const auto isWrapper = [](const GlobalName& name) { // also sklearn.externals.joblib
        return name.name == "NumpyArrayWrapper" && name.module.ends_with("joblib.numpy_pickle");
    };
    const GlobalName callee = m_graph.calleeName(target);
    if (callee != GlobalName{"copyreg", "_reconstructor"}) {
        return isWrapper(callee);
    }
    const auto args = m_graph.items(m_graph.args(target));
    return !args.empty() && kindOf(args[0]) == NodeKind::Global &&
           isWrapper(m_graph.global(args[0]));
}

/// Lets the caller read what follows, if it reads as far as the machine is.
bool PickleMachine::resumeAt(const Byte* at) {
    if (!m_limits.onBuilt) {
        return true;
    }
    auto ready = m_limits.onBuilt(static_cast<std::uint64_t>(at - m_begin));
    if (!ready) {
        m_error = std::move(ready).error();
    }
    return ready.has_value();
}

/// Moves past the array.
bool PickleMachine::passInlineArray(NodeId wrapper) {
    if (!m_limits.lenient && !m_limits.onBuilt) {
        return failWith(ErrorCode::Unsupported, "An array of joblib follows in the pickle");
    }
    const auto unknown = [&] {
        return failWith(ErrorCode::Unsupported,
                        "The size of an inline joblib array cannot be computed");
    };
    const NodeId state = m_graph.state(wrapper);
    const auto kind = elementKindOf(m_graph, m_graph.find(state, "dtype"), 0);
    const NodeId shape = m_graph.find(state, "shape");
    if (!kind || !shape.present()) {
        return unknown();
    }
    if (m_inFrame && m_at < m_fence && // what Python reads here depends on its buffer size
        !odd(AnomalyKind::FrameTooShort, ErrorCode::PickleBadFrame,
             "An array of joblib begins inside a frame")) {
        return false;
    }
    if (kind->objects) {
        return passInlinePickle();
    }
    std::uint64_t bytes = kind->bytes;
    for (const NodeId extent : m_graph.items(shape)) {
        const auto size = m_graph.asInteger(extent);
        const auto product = size && *size >= 0
                                 ? checkedMul(bytes, static_cast<std::uint64_t>(*size))
                                 : std::nullopt;
        if (!product) {
            return unknown();
        }
        bytes = *product;
    }
    const NodeId alignment = m_graph.find(state, "numpy_array_alignment_bytes");
    if (alignment.present() && !m_graph.isNone(alignment)) {
        std::uint8_t padding = 0;
        if (!operand(padding) || padding > left()) {
            return truncated();
        }
        m_at += padding;
    }
    if (bytes > left()) {
        return truncated();
    }
    m_graph.m_inlineArrays[wrapper.value] = {m_at, static_cast<std::size_t>(bytes)};
    m_at += bytes;
    m_fence = std::max(m_fence, m_at);
    return resumeAt(m_at);
}

bool PickleMachine::passInlinePickle() {
    const auto begin = static_cast<std::uint64_t>(m_at - m_begin);
    if (m_limits.inlineDepth == 0) {
        return failWith(ErrorCode::LimitExceeded, "Arrays of objects are nested too deeply");
    }
    if (!resumeAt(m_at)) {
        return false;
    }
    PickleLimits limits = m_limits;
    --limits.inlineDepth;
    if (m_limits.onBuilt) {
        limits.onBuilt = [&outer = m_limits.onBuilt, begin](std::uint64_t at) {
            return outer(begin + at);
        };
    }
    const PickleRun inner =
        runPickle(m_graph.m_source.bytes.subspan(static_cast<std::size_t>(begin)), limits);
    m_graph.m_inlinePickles.push_back(begin);
    if (inner.error) {
        return failWith(inner.error->code, inner.error->message);
    }
    m_at += inner.graph.consumed();
    m_fence = std::max(m_fence, m_at);
    return resumeAt(m_at);
}

} // namespace cairn::pickle
