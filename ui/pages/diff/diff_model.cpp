// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_model.h"

#include "ui/models/row_roles.h"
#include "ui/models/spread_id.h"
#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

QString dtypeAndShape(const TensorEntry& tensor) {
    return QStringLiteral("%1 · %2").arg(words::dtype(tensor.dtype), text::shape(tensor.shape));
}

QString share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0 || part == 0) {
        return QStringLiteral("0 %");
    }
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    if (percent < 0.1) {
        return QStringLiteral("< 0.1 %");
    }
    // Not "100 %" while some are the same.
    return QStringLiteral("%1 %").arg(part == whole ? 100.0 : std::min(percent, 99.9), 0, 'f',
                                      part == whole ? 0 : 1);
}

} // namespace

QString relativeText(double relative) {
    return std::isfinite(relative) ? text::number(relative) : DiffModel::tr("from zero");
}

void DiffModel::show(DiffRowsPtr rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

std::uint32_t DiffModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? nodeOfSpreadId(index.internalId()) : 0;
}

const DiffNode* DiffModel::nodeAt(const QModelIndex& index) const {
    return m_rows && index.isValid() ? &m_rows->document->tree.nodes[nodeOf(index)] : nullptr;
}

QModelIndex DiffModel::indexOf(std::uint32_t node) const {
    return m_rows && node != 0 && m_rows->row[node] >= 0
               ? createIndex(m_rows->row[node], 0, spreadId(node))
               : QModelIndex();
}

QModelIndex DiffModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column,
                       spreadId(m_rows->children[nodeOf(parent)][static_cast<std::size_t>(row)]));
}

QModelIndex DiffModel::parent(const QModelIndex& index) const {
    return index.isValid() ? indexOf(m_rows->document->tree.nodes[nodeOf(index)].parent)
                           : QModelIndex();
}

int DiffModel::rowCount(const QModelIndex& parent) const {
    if (!m_rows || parent.column() > 0) {
        return 0;
    }
    return static_cast<int>(m_rows->children[nodeOf(parent)].size());
}

int DiffModel::columnCount(const QModelIndex&) const {
    return kColumns;
}

bool DiffModel::hasChildren(const QModelIndex& parent) const {
    return rowCount(parent) > 0;
}

Qt::ItemFlags DiffModel::flags(const QModelIndex& index) const {
    const DiffNode* node = nodeAt(index);
    if (node == nullptr) {
        return Qt::NoItemFlags;
    }
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return node->children.empty() ? usual | Qt::ItemNeverHasChildren : usual;
}

QModelIndex DiffModel::nextDifference(const QModelIndex& from, bool forward) const {
    if (!m_rows) {
        return {};
    }
    const auto following = [&](std::uint32_t node) -> std::uint32_t { // 0: the end
        if (forward && !m_rows->children[node].empty()) {
            return m_rows->children[node].front();
        }
        while (node != 0) {
            const std::uint32_t above = m_rows->document->tree.nodes[node].parent;
            const auto& siblings = m_rows->children[above];
            const int row = m_rows->row[node] + (forward ? 1 : -1);
            if (row >= 0 && row < static_cast<int>(siblings.size())) {
                std::uint32_t next = siblings[static_cast<std::size_t>(row)];
                while (!forward && !m_rows->children[next].empty()) {
                    next = m_rows->children[next].back();
                }
                return next;
            }
            node = above;
            if (!forward && node != 0) {
                return node;
            }
        }
        return 0;
    };
    std::uint32_t node = following(nodeOf(from));
    while (node != 0 && m_rows->differs[node] == 0) {
        node = following(node);
    }
    return indexOf(node);
}

QString DiffModel::tensorCell(const TensorPair& pair, const PairDiff* values, int column) const {
    const TensorEntry& left = m_rows->document->left.checkpoint->tensor(pair.left);
    const TensorEntry& right = m_rows->document->right.checkpoint->tensor(pair.right);
    if (column == Left) {
        return dtypeAndShape(left);
    }
    if (column == Right) {
        const QString what = pair.sameDtype && pair.sameShape ? tr("same") : dtypeAndShape(right);
        return pair.renamed ? tr("%1, named %2").arg(what, text::fromCore(right.name)) : what;
    }
    if (values == nullptr) {
        return {};
    }
    if (!values->compared()) {
        return column == Relative ? tr("not compared") : QString();
    }
    if (values->values.identical) {
        return column == Relative ? tr("identical") : QString();
    }
    switch (column) {
    case Relative:
        return relativeText(values->relativeChange());
    case MaxAbs:
        return values->values.numeric ? text::number(values->values.maxAbs) : QString();
    default:
        return share(values->values.changed, values->values.count);
    }
}

QString DiffModel::cell(const DiffNode& node, int column) const {
    const DiffDocument& document = *m_rows->document;
    if (node.pair) {
        return tensorCell(document.structure.pairs[*node.pair],
                          document.hasValues() ? &document.values[*node.pair] : nullptr, column);
    }
    if (node.children.empty()) {
        const bool left = node.sums.onlyLeft > 0;
        return (column == Left) == left && (column == Left || column == Right)
                   ? tr("only here")
                   : (column == Left || column == Right ? QStringLiteral("–") : QString());
    }
    if (column == Left && node.sums.onlyLeft > 0) {
        return tr("%1 only here").arg(text::count(node.sums.onlyLeft));
    }
    if (column == Right && node.sums.onlyRight > 0) {
        return tr("%1 only here").arg(text::count(node.sums.onlyRight));
    }
    if (!document.hasValues() || node.sums.tensors == 0) {
        return {};
    }
    if (node.sums.unread == node.sums.tensors) {
        return column == Relative ? tr("not compared") : QString();
    }
    switch (column) {
    case Relative:
        return node.sums.differs() ? relativeText(node.sums.relativeChange()) : tr("identical");
    case MaxAbs:
        return node.sums.differs() ? text::number(node.sums.values.maxAbs) : QString();
    case Changed:
        return tr("%1 of %2").arg(text::count(node.sums.changed), text::count(node.sums.tensors));
    default:
        return {};
    }
}

QString DiffModel::fullName(std::uint32_t node) const {
    QStringList parts;
    for (; node != 0; node = m_rows->document->tree.nodes[node].parent) {
        parts.prepend(text::fromCore(m_rows->document->tree.nodes[node].name));
    }
    return parts.join(QLatin1Char('.'));
}

QVariant DiffModel::data(const QModelIndex& index, int role) const {
    const DiffNode* node = nodeAt(index);
    if (node == nullptr) {
        return {};
    }
    const bool group = !node->children.empty();
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Name ? text::fromCore(node->name) : cell(*node, index.column());
    case Qt::ToolTipRole:
        return text::toolTip(index.column() == Name ? fullName(nodeOf(index))
                                                    : cell(*node, index.column()));
    case Qt::TextAlignmentRole:
        return QVariant(index.column() >= Relative ? Qt::AlignRight | Qt::AlignVCenter
                                                   : Qt::AlignLeft | Qt::AlignVCenter);
    case RowRoles::FullName:
        return fullName(nodeOf(index));
    case RowRoles::Count:
        return group && index.column() == Name
                   ? QVariant(static_cast<qulonglong>(node->sums.tensors + node->sums.onlyLeft +
                                                      node->sums.onlyRight))
                   : QVariant();
    case RowRoles::Dim:
        return index.column() != Name && (group || m_rows->differs[nodeOf(index)] == 0);
    case RowRoles::Warning:
        return index.column() != Name && node->sums.unread > 0 && index.column() == Relative;
    default:
        return {};
    }
}

QVariant DiffModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(section >= Relative ? Qt::AlignRight | Qt::AlignVCenter
                                            : Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == Qt::InitialSortOrderRole && section >= Relative) {
        return Qt::DescendingOrder; // the most changed is what is looked for
    }
    if (role == Qt::ToolTipRole && section == Relative) {
        return tr("|A − B| / |A|, of the elements' L2 norms");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("Name");
    case Left:
        return tr("A");
    case Right:
        return tr("B");
    case Relative:
        return tr("Relative change");
    case MaxAbs:
        return tr("Max abs");
    case Changed:
        return tr("Changed");
    default:
        return {};
    }
}

} // namespace cairn::ui
