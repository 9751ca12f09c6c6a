// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/metadata_view.h"

#include "core/formats/common/torch_objects.h"

namespace cairn::formats::dcp {
namespace {

/// Dataclasses have a handful of fields. A dict with more is none, and looking through it once for
/// each of a million objects that share it would take for ever.
constexpr std::size_t kMaxFields = 64;

} // namespace

using pickle::NodeId;
using pickle::NodeKind;

NodeId MetadataView::field(NodeId object, std::string_view name, std::size_t position) const {
    const auto find = [&](NodeId dict) {
        return m_graph.pairs(dict).size() > kMaxFields ? NodeId{} : m_graph.find(dict, name);
    };
    if (m_graph.kind(object) == NodeKind::Dict) {
        return find(object);
    }
    if (m_graph.kind(object) != NodeKind::Object) {
        return {};
    }
    NodeId state = m_graph.state(object);
    if (m_graph.kind(state) == NodeKind::Tuple && m_graph.items(state).size() == 2) {
        state = m_graph.items(state)[1]; // (None, slots)
    }
    if (m_graph.kind(state) == NodeKind::Dict) {
        return find(state);
    }
    if (const NodeId keyword = find(m_graph.kwargs(object)); keyword.present()) {
        return keyword;
    }
    const auto arguments = m_graph.items(m_graph.args(object));
    return position < arguments.size() ? arguments[position] : NodeId{};
}

std::string_view MetadataView::className(NodeId object) const {
    if (m_graph.kind(object) != NodeKind::Object) {
        return {};
    }
    const NodeId callable = m_graph.callable(object);
    if (!m_lastClass.present() || callable != m_lastClass) {
        const std::string_view name = m_graph.calleeName(object).name;
        m_lastName = name.substr(name.rfind('.') + 1);
        m_lastClass = callable;
    }
    return m_lastName;
}

std::optional<Dims> MetadataView::dims(NodeId node) const {
    if (m_graph.kind(node) == NodeKind::Object) { // torch.Size((4, 5))
        const auto arguments = m_graph.items(m_graph.args(node));
        if (arguments.empty()) {
            return Dims();
        }
        node = arguments[0];
    }
    const NodeKind kind = m_graph.kind(node);
    const auto items = m_graph.items(node);
    if ((kind != NodeKind::Tuple && kind != NodeKind::List) || items.size() > kMaxRank) {
        return std::nullopt;
    }
    Dims dims(items.size(), 0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto extent = m_graph.asInteger(items[i]);
        if (!extent || *extent < 0) {
            return std::nullopt;
        }
        dims[i] = *extent;
    }
    return dims;
}

NodeId MetadataView::dtypeNode(NodeId properties) const {
    const NodeId state = m_graph.state(properties);
    if (m_graph.kind(state) == NodeKind::Tuple && !m_graph.items(state).empty()) {
        const NodeId first = m_graph.items(state)[0];
        if (m_graph.kind(first) == NodeKind::Global) {
            return first; // (dtype, layout, requires_grad, memory format, pin_memory)
        }
    }
    return field(properties, "dtype", 0);
}

std::optional<Dtype> MetadataView::dtype(NodeId properties) const {
    const NodeId node = dtypeNode(properties);
    return m_graph.kind(node) == NodeKind::Global ? torchDtype(m_graph.global(node)) : std::nullopt;
}

std::string_view MetadataView::dtypeWord(NodeId properties) const {
    return m_graph.global(dtypeNode(properties)).name;
}

std::optional<std::uint64_t> MetadataView::count(NodeId node) const {
    const auto value = m_graph.asInteger(node);
    return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

} // namespace cairn::formats::dcp
