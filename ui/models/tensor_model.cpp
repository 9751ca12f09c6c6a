// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_model.h"

#include "ui/models/row_roles.h"
#include "ui/models/spread_id.h"
#include "ui/models/tensor_file.h"
#include "ui/models/tensor_name.h"
#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/dragged_files.h"

#include <QStringList>

namespace cairn::ui {
namespace {

constexpr std::uint32_t kNoNode = TensorArrangement::kNone;

bool isRightAligned(TensorColumn column) {
    return column == TensorColumn::Bytes || column == TensorColumn::Pieces;
}

} // namespace

void TensorModel::show(TensorArrangementPtr arrangement) {
    beginResetModel();
    m_arrangement = std::move(arrangement);
    endResetModel();
}

const TensorModel::Node* TensorModel::nodeAt(const QModelIndex& index) const {
    return index.isValid() && m_arrangement
               ? &m_arrangement->nodes()[nodeOfSpreadId(index.internalId())]
               : nullptr;
}

QModelIndex TensorModel::indexOfNode(std::uint32_t node, int column) const {
    return createIndex(static_cast<int>(m_arrangement->nodes()[node].row), column, spreadId(node));
}

std::optional<TensorIndex> TensorModel::tensorAt(const QModelIndex& index) const {
    const Node* node = nodeAt(index);
    return node == nullptr || node->tensor == kNoNode ? std::nullopt
                                                      : std::optional(TensorIndex(node->tensor));
}

QModelIndex TensorModel::indexOf(TensorIndex tensor, TensorColumn column) const {
    if (!m_arrangement || tensor.position() >= m_arrangement->table().size()) {
        return {};
    }
    const std::uint32_t node = m_arrangement->nodeOf(tensor.value);
    return node == kNoNode ? QModelIndex() : indexOfNode(node, static_cast<int>(column));
}

QModelIndex TensorModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    const Node* of = nodeAt(parent);
    const std::uint32_t first = of == nullptr ? 0 : of->firstChild;
    return createIndex(row, column, spreadId(first + static_cast<std::uint32_t>(row)));
}

QModelIndex TensorModel::parent(const QModelIndex& child) const {
    const Node* node = nodeAt(child);
    return node == nullptr || node->parent == kNoNode ? QModelIndex()
                                                      : indexOfNode(node->parent, 0);
}

int TensorModel::rowCount(const QModelIndex& parent) const {
    if (!m_arrangement || parent.column() > 0) {
        return 0;
    }
    const Node* node = nodeAt(parent);
    return static_cast<int>(node == nullptr ? m_arrangement->topLevelCount() : node->childCount);
}

int TensorModel::columnCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : kTensorColumns;
}

bool TensorModel::hasChildren(const QModelIndex& parent) const {
    return rowCount(parent) > 0;
}

Qt::ItemFlags TensorModel::flags(const QModelIndex& index) const {
    const Node* node = nodeAt(index);
    if (node == nullptr) {
        return Qt::NoItemFlags;
    }
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return node->tensor == kNoNode ? usual
                                   : usual | Qt::ItemNeverHasChildren | Qt::ItemIsDragEnabled;
}

/// A file for each tensor, and the names as text.
QMimeData* TensorModel::mimeData(const QModelIndexList& indexes) const {
    std::vector<DraggedFiles::Make> files;
    QStringList names;
    std::uint64_t bytes = 0; // together, because the target waits for all of them
    for (const QModelIndex& index : indexes) {
        const auto tensor = tensorAt(index);
        if (!tensor || index.column() != 0 || files.size() == kMostDragged) {
            continue;
        }
        bytes += m_arrangement->table().figures(nodeAt(index)->tensor).bytes;
        if (bytes > kMostDraggedBytes && !files.empty()) {
            break;
        }
        names << text::fromCore(
            std::string(m_arrangement->table().checkpoint()->tensor(*tensor).name));
        files.emplace_back([from = m_arrangement, tensor = *tensor]() -> DraggedFiles::File {
            auto made = tensorFile(*from->table().checkpoint(), tensor);
            return made ? DraggedFiles::File{made->first, made->second} : DraggedFiles::File{};
        });
    }
    auto* data = new DraggedFiles(std::move(files));
    data->setText(names.join(QLatin1Char('\n')));
    return data;
}

QString TensorModel::shardsText(const Node& node) const {
    if (node.tensor == kNoNode) {
        return node.incomplete ? tr("incomplete") : QString();
    }
    const TensorTable& table = m_arrangement->table();
    const TensorTable::Figures& figures = table.figures(node.tensor);
    if (figures.missingFiles > 0) {
        return figures.files == 1
                   ? tr("file missing")
                   : tr("%1 of %2 missing").arg(figures.missingFiles).arg(figures.files);
    }
    if (node.incomplete) {
        return tr("incomplete");
    }
    if (figures.files == 1) {
        const FileIndex file = table.tensor(node.tensor).pieces.front().file;
        return text::fromCore(table.checkpoint()->files()[file.position()].path);
    }
    return tr("%Ln files", nullptr, static_cast<int>(figures.files));
}

/// "model.layers.0.", which is secondary in the name of a list.
QString TensorModel::modulePrefix(const Node& node) const {
    const std::string_view name = m_arrangement->table().name(node.tensor);
    return text::fromCore(name.substr(0, name.size() - splitName(name).leaf.size()));
}

QString TensorModel::displayText(const Node& node, TensorColumn column) const {
    const bool isGroup = node.tensor == kNoNode;
    const TensorTable& table = m_arrangement->table();
    switch (column) {
    case TensorColumn::Name:
        return m_arrangement->isTree()
                   ? text::fromCore(m_arrangement->label(node))
                   : modulePrefix(node) + text::fromCore(splitName(table.name(node.tensor)).leaf);
    case TensorColumn::Dtype:
        return node.dtype ? words::dtype(*node.dtype) : tr("mixed");
    case TensorColumn::Shape:
        return isGroup ? QString() : text::shape(table.tensor(node.tensor).shape);
    case TensorColumn::Bytes:
        return text::bytes(isGroup ? node.bytes : table.figures(node.tensor).bytes);
    case TensorColumn::Role:
        return node.role ? words::tensorRole(*node.role) : tr("mixed");
    case TensorColumn::Shards:
        return shardsText(node);
    case TensorColumn::Pieces:
        return text::count(node.pieces);
    }
    return {};
}

QString TensorModel::toolTip(const Node& node, TensorColumn column) const {
    const bool isGroup = node.tensor == kNoNode;
    if (column == TensorColumn::Bytes) {
        return text::exactBytes(isGroup ? node.bytes
                                        : m_arrangement->table().figures(node.tensor).bytes);
    }
    if (column == TensorColumn::Shards && !isGroup) {
        return words::fileList(*m_arrangement->table().checkpoint(),
                               m_arrangement->table().tensor(node.tensor))
            .join(QLatin1Char('\n'));
    }
    return text::fromCore(m_arrangement->fullName(node));
}

QString TensorModel::accessibleText(const Node& node) const {
    const QString name = displayText(node, TensorColumn::Name);
    const QString size = displayText(node, TensorColumn::Bytes);
    if (node.tensor == kNoNode) {
        return tr("%1, group of %Ln tensors, %2", nullptr, static_cast<int>(node.tensors))
            .arg(name, size);
    }
    QString shape = displayText(node, TensorColumn::Shape);
    shape.replace(QStringLiteral("×"), tr("by"));
    const QString shards = node.incomplete ? QStringLiteral(", ") + shardsText(node) : QString();
    return tr("%1, %2, %3, %4").arg(name, displayText(node, TensorColumn::Dtype), shape, size) +
           shards;
}

QVariant TensorModel::data(const QModelIndex& index, int role) const {
    const Node* node = nodeAt(index);
    if (node == nullptr) {
        return {};
    }
    const auto column = static_cast<TensorColumn>(index.column());
    const bool isGroup = node->tensor == kNoNode;
    switch (role) {
    case Qt::DisplayRole:
        return displayText(*node, column);
    case Qt::ToolTipRole:
        return text::toolTip(toolTip(*node, column));
    case Qt::AccessibleTextRole:
        return column == TensorColumn::Name ? accessibleText(*node) : displayText(*node, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter |
                        (isRightAligned(column) ? Qt::AlignRight : Qt::AlignLeft));
    case RowRoles::Tensor:
        return isGroup ? QVariant() : QVariant(node->tensor);
    case RowRoles::FullName: {
        const std::string_view name = m_arrangement->fullName(*node);
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    case RowRoles::Count:
        return isGroup ? QVariant(static_cast<qulonglong>(node->tensors)) : QVariant();
    case RowRoles::Dim:
        return isGroup && column != TensorColumn::Name && column != TensorColumn::Bytes;
    case RowRoles::DimPrefix:
        return column == TensorColumn::Name && !m_arrangement->isTree()
                   ? QVariant(static_cast<int>(modulePrefix(*node).size()))
                   : QVariant();
    case RowRoles::Warning:
        return column == TensorColumn::Shards && node->incomplete;
    default:
        return {};
    }
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kTensorColumns) {
        return {};
    }
    const auto column = static_cast<TensorColumn>(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant(Qt::AlignVCenter |
                        (isRightAligned(column) ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role == Qt::InitialSortOrderRole && column == TensorColumn::Bytes) {
        return Qt::DescendingOrder; // the largest is what is looked for
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) {
        return {};
    }
    switch (column) {
    case TensorColumn::Name:
        return tr("Name");
    case TensorColumn::Dtype:
        return tr("Dtype");
    case TensorColumn::Shape:
        return tr("Shape");
    case TensorColumn::Bytes:
        return tr("Size");
    case TensorColumn::Role:
        return tr("Role");
    case TensorColumn::Shards:
        return tr("Shards");
    case TensorColumn::Pieces:
        return tr("Pieces");
    }
    return {};
}

} // namespace cairn::ui
