// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/metadata_view.h"

#include "core/formats/common/torch/torch_objects.h"

#include <algorithm>

namespace cairn::formats::dcp {
namespace {

/// Dataclasses have few fields. Larger dicts are not dataclasses, and searching one for each of a
/// million objects that share it would take too long.
constexpr std::size_t kMaxFields = 64;

struct FieldRow {
    std::string_view name;
    std::size_t position; ///< position among the arguments of the constructor
};

constexpr std::size_t kNoPosition = 1000; ///< for fields that are never positional arguments

/// Indexed by Field.
constexpr auto kFields = std::to_array<FieldRow>({
    {"state_dict_metadata", 0},
    {"planner_data", 1},
    {"storage_data", 2},
    {"properties", 0},
    {"size", 1},
    {"chunks", 2},
    {"offsets", 0},
    {"sizes", 1},
    {"dtype", 0},
    {"fqn", 0},
    {"offset", 1},
    {"relative_path", 0},
    {"length", 2},
    {"transform_descriptors", 3},
    {"mcore_data", kNoPosition},
    {"nd_reformulated_orig_global_shape", kNoPosition},
});
static_assert(kFields.size() == static_cast<std::size_t>(Field::Unknown));

} // namespace

using pickle::NodeId;
using pickle::NodeKind;

MetadataView::Record MetadataView::open(NodeId object) const {
    const NodeKind kind = m_graph.kind(object);
    if (kind == NodeKind::Dict) {
        return {m_graph.pairs(object), {}};
    }
    if (kind != NodeKind::Object) {
        return {};
    }
    NodeId state = m_graph.state(object);
    NodeKind stateKind = m_graph.kind(state);
    if (stateKind == NodeKind::Tuple && m_graph.items(state).size() == 2) {
        state = m_graph.items(state)[1]; // (None, slots)
        stateKind = m_graph.kind(state);
    }
    if (stateKind == NodeKind::Dict) {
        return {m_graph.pairs(state), {}};
    }
    return {m_graph.pairs(m_graph.kwargs(object)), m_graph.items(m_graph.args(object))};
}

NodeId MetadataView::field(const Record& record, Field field) const {
    const pickle::PairView& named = record.named;
    if (named.size() <= kMaxFields) {
        for (std::size_t i = named.size(); i-- > 0;) { // the last of equal names is valid
            if (fieldOf(named[i].key) == field) {
                return named[i].value;
            }
        }
    }
    const std::size_t position = kFields[static_cast<std::size_t>(field)].position;
    return position < record.positional.size() ? record.positional[position] : NodeId{};
}

Field MetadataView::fieldOf(NodeId key) const {
    KnownKey& known = m_keys[key.value % m_keys.size()];
    if (known.key != key) {
        const std::string_view text = m_graph.text(key); // empty if the key is not text
        const auto row = std::ranges::find(kFields, text, &FieldRow::name);
        known = {key, static_cast<Field>(row - kFields.begin())};
    }
    return known.field;
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
    return field(properties, Field::Dtype);
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
