// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/value_model.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"

#include <algorithm>

namespace cairn::ui {
namespace {

/// Items of one range when `count` items are cut so that no level has more than about kRangeItems
/// rows.
std::size_t rangeStep(std::size_t count) {
    std::size_t step = 1;
    while ((count + step - 1) / step > ValueModel::kRangeItems) {
        step *= ValueModel::kRangeItems;
    }
    return step;
}

std::size_t rangeRows(std::size_t count) {
    const std::size_t step = rangeStep(count);
    return (count + step - 1) / step;
}

} // namespace

ValueModel::ValueModel(QObject* parent) : QAbstractItemModel(parent) {
    restart();
}

void ValueModel::restart() {
    m_nodes.clear();
    Node root;
    root.value = &m_root;
    root.end = m_root.items().size();
    root.order = orderOf(m_root);
    if (m_root.kind() == ValueKind::Dict || m_root.kind() == ValueKind::Object) {
        const auto tensors = static_cast<std::size_t>(std::ranges::count_if(
            m_root.items(), [](const auto& item) { return item.value.asTensor() != nullptr; }));
        const std::size_t others = root.end - tensors;
        root.folds = others > 0 && tensors > kLooseTensors;
        root.end = root.folds ? others : root.end;
    }
    m_nodes.push_back(std::move(root));
}

void ValueModel::show(CheckpointPtr checkpoint, Value root) {
    beginResetModel();
    m_checkpoint = std::move(checkpoint);
    m_root = std::move(root);
    m_orders.reset();
    restart();
    endResetModel();
}

void ValueModel::showMatches(const ValueMatchesPtr& matches) {
    beginResetModel();
    restart();
    if (matches && matches->root.identity() == m_root.identity()) {
        m_nodes.front().narrowed = true;
        for (const ValueMatches::Entry& entry : matches->entries) {
            Node& parent = m_nodes[entry.parent];
            Node node;
            node.parent = entry.parent;
            node.row = static_cast<std::uint32_t>(parent.children.size());
            node.container = parent.value;
            node.position = entry.position;
            node.value = &parent.value->items()[entry.position].value;
            node.end = node.value->items().size();
            node.matches = entry.matches;
            parent.children.push_back(static_cast<std::uint32_t>(m_nodes.size()));
            parent.narrowed = true;
            m_nodes.push_back(std::move(node));
        }
        for (Node& node : m_nodes) {
            node.order = node.children.empty() ? nullptr : orderOf(*node.value);
            placeChildren(node);
        }
    }
    endResetModel();
}

QModelIndex ValueModel::indexOfMatch(std::uint32_t number) const {
    const bool isThere = number > 0 && number < m_nodes.size();
    return isThere ? createIndex(static_cast<int>(m_nodes[number].row), 0, quintptr{number})
                   : QModelIndex();
}

std::uint32_t ValueModel::nodeNumber(const QModelIndex& index) const {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : 0;
}

const ValueModel::Node* ValueModel::nodeAt(const QModelIndex& index) const {
    return index.isValid() ? &m_nodes[nodeNumber(index)] : nullptr;
}

std::size_t ValueModel::childCount(const Node& node) const {
    if (node.narrowed) {
        return node.children.size();
    }
    return rangeRows(node.end - node.begin) + (node.folds ? 1 : 0);
}

std::uint32_t ValueModel::child(std::uint32_t number, std::size_t row) const {
    Node& parent = m_nodes[number];
    if (parent.children.empty()) {
        parent.children.assign(childCount(parent), kNone);
    }
    std::uint32_t& slot = parent.children[row];
    if (slot != kNone) {
        return slot;
    }
    const Value* container = parent.value != nullptr ? parent.value : parent.container;
    if (!parent.order && parent.value != nullptr) {
        parent.order = orderOf(*container);
    }
    const std::size_t step = rangeStep(parent.end - parent.begin);
    Node node;
    node.parent = number;
    node.row = static_cast<std::uint32_t>(row);
    node.container = container;
    node.position = parent.begin + row * step;
    if (row == rangeRows(parent.end - parent.begin)) { // only where the parent folds
        node.order = parent.order;
        node.begin = parent.end;
        node.end = container->items().size();
    } else if (step == 1) {
        node.position = parent.order ? (*parent.order)[node.position] : node.position;
        node.value = &container->items()[node.position].value;
        node.end = node.value->items().size();
    } else {
        node.order = parent.order;
        node.begin = node.position;
        node.end = std::min(node.begin + step, parent.end);
    }
    slot = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back(std::move(node)); // a deque: `parent` and `slot` stay where they are
    return slot;
}

QModelIndex ValueModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column,
                       quintptr{child(nodeNumber(parent), static_cast<std::size_t>(row))});
}

QModelIndex ValueModel::parent(const QModelIndex& child) const {
    const Node* node = nodeAt(child);
    if (node == nullptr || node->parent == 0 || node->parent == kNone) {
        return {};
    }
    return createIndex(static_cast<int>(m_nodes[node->parent].row), 0, quintptr{node->parent});
}

int ValueModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(childCount(m_nodes[nodeNumber(parent)]));
}

int ValueModel::columnCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(kColumns);
}

bool ValueModel::hasChildren(const QModelIndex& parent) const {
    return rowCount(parent) > 0;
}

Qt::ItemFlags ValueModel::flags(const QModelIndex& index) const {
    const Node* node = nodeAt(index);
    if (node == nullptr) {
        return Qt::NoItemFlags;
    }
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return childCount(*node) == 0 ? usual | Qt::ItemNeverHasChildren : usual;
}

bool ValueModel::isTensorFold(const Node& node) const {
    const Node& root = m_nodes.front();
    return node.value == nullptr && node.parent == 0 && root.folds && node.begin == root.end;
}

bool ValueModel::isTensorFold(const QModelIndex& index) const {
    const Node* node = nodeAt(index);
    return node != nullptr && isTensorFold(*node);
}

std::optional<TensorIndex> ValueModel::tensorAt(const QModelIndex& index) const {
    const Node* node = nodeAt(index);
    if (node == nullptr || node->value == nullptr || node->value->asTensor() == nullptr) {
        return std::nullopt;
    }
    const TensorIndex tensor = *node->value->asTensor();
    const bool isKnown = m_checkpoint && tensor.position() < m_checkpoint->tensors().size();
    return isKnown ? std::optional(tensor) : std::nullopt;
}

std::vector<words::ValueStep> ValueModel::stepsTo(const Node& node) const {
    std::vector<words::ValueStep> steps;
    for (const Node* at = &node; at->container != nullptr; at = &m_nodes[at->parent]) {
        if (at->value != nullptr) {
            steps.push_back({at->container, at->position});
        }
    }
    std::ranges::reverse(steps);
    return steps;
}

QString ValueModel::pathAt(const QModelIndex& index) const {
    QStringList parts;
    const Node* node = nodeAt(index);
    for (const words::ValueStep& step :
         node == nullptr ? std::vector<words::ValueStep>() : stepsTo(*node)) {
        parts << words::itemKey(*step.container, step.position);
    }
    return parts.join(QLatin1Char('.'));
}

QString ValueModel::pythonAt(const QModelIndex& index) const {
    const Node* node = nodeAt(index);
    return node == nullptr ? QString() : words::subscripts(stepsTo(*node));
}

QString ValueModel::fullValueAt(const QModelIndex& index) const {
    const Node* node = nodeAt(index);
    const bool hasValue = node != nullptr && node->value != nullptr;
    return hasValue ? words::fullValue(*node->value, m_checkpoint.get()) : QString();
}

QString ValueModel::display(const Node& node, int column) const {
    if (isTensorFold(node)) {
        return column == Key ? tr("tensors (%1)").arg(text::count(node.end - node.begin))
                             : QString();
    }
    if (node.value == nullptr) {
        const Node* top = &node; // ranges of the folded tensors count from 0
        while (top->value == nullptr && !isTensorFold(*top)) {
            top = &m_nodes[top->parent];
        }
        const std::size_t first = top->begin;
        return column == Key
                   ? QStringLiteral("%1 … %2").arg(node.begin - first).arg(node.end - 1 - first)
                   : QString();
    }
    switch (column) {
    case Key:
        return words::itemKey(*node.container, node.position);
    case Content:
        return words::value(*node.value, m_checkpoint.get());
    case Type:
        return words::valueType(*node.value);
    default:
        return {};
    }
}

QVariant ValueModel::data(const QModelIndex& index, int role) const {
    const Node* node = nodeAt(index);
    if (node == nullptr) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return display(*node, index.column());
    case Qt::ToolTipRole:
        return text::toolTip(index.column() == Content ? fullValueAt(index)
                             : index.column() == Key   ? pathAt(index)
                                                       : display(*node, Type));
    case Qt::AccessibleTextRole:
        return index.column() == Key
                   ? tr("%1: %2").arg(display(*node, Key), display(*node, Content))
                   : display(*node, index.column());
    case RowRoles::Tensor: {
        const std::optional<TensorIndex> tensor = tensorAt(index);
        return tensor ? QVariant(tensor->value) : QVariant();
    }
    case RowRoles::Dim:
        return index.column() == Type ||
               (index.column() == Content && node->value != nullptr && childCount(*node) > 0);
    case RowRoles::Match:
        return node->matches && index.column() != Type;
    default:
        return {};
    }
}

QVariant ValueModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal ||
        (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)) {
        return {};
    }
    switch (section) {
    case Key:
        return tr("Key");
    case Content:
        return tr("Value");
    case Type:
        return tr("Type");
    default:
        return {};
    }
}

} // namespace cairn::ui
