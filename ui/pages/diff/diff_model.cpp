// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_model.h"

#include "ui/models/row_roles.h"
#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

bool hasAll(const QString& name, const QStringList& words) {
    return std::ranges::all_of(
        words, [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

/// One visit of the tree, children before their parent. Uses an explicit stack, although the tree
/// is at most kMaxModuleDepth deep.
class Lister {
public:
    Lister(const DiffDocument& document, const DiffRows::Request& request, DiffRows& rows)
        : m_document(document), m_tree(document.tree), m_request(request), m_rows(rows),
          m_words(request.filter.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        m_rows.children.resize(m_tree.nodes.size());
        m_rows.row.assign(m_tree.nodes.size(), -1);
        m_rows.differs.assign(m_tree.nodes.size(), 0);
        m_rows.equality = request.equality;
    }

    Result<void> run(const CancelToken& cancel) {
        struct Visit {
            std::uint32_t node = 0;
            std::size_t next = 0;
            qsizetype nameLength = 0; ///< of m_name before this node
        };
        std::vector<Visit> open{{}};
        std::size_t seen = 0;
        while (!open.empty()) {
            Visit& visit = open.back();
            const DiffNode& node = m_tree.nodes[visit.node];
            if (visit.next == 0 && visit.node != 0) {
                visit.nameLength = m_name.size();
                m_name += (m_name.isEmpty() ? QString() : QStringLiteral(".")) +
                          text::fromCore(node.name);
            }
            if (visit.next < node.children.size()) {
                open.push_back({node.children[visit.next++]});
                continue;
            }
            close(visit.node, node);
            if (visit.node != 0) {
                m_name.truncate(visit.nameLength);
            }
            open.pop_back();
            if (++seen % 4096 == 0) {
                CAIRN_CHECK(cancel.check());
            }
        }
        return {};
    }

private:
    void close(std::uint32_t index, const DiffNode& node) {
        std::vector<std::uint32_t>& listed = m_rows.children[index];
        for (const std::uint32_t child : node.children) {
            if (m_rows.row[child] == 0) { // marked for inclusion below
                m_rows.row[child] = static_cast<int>(listed.size());
                listed.push_back(child);
            } else {
                m_rows.row[child] = -1;
            }
        }
        const bool leaf = node.children.empty();
        const bool different = leaf && differs(node);
        m_rows.differs[index] = different ? 1 : 0;
        m_rows.differing += different ? 1 : 0;
        const bool wanted = !listed.empty() || (leaf && (!m_request.onlyDifferent || different) &&
                                                hasAll(m_name, m_words));
        m_rows.row[index] = wanted ? 0 : -1;
        m_rows.tensors += leaf && wanted ? 1 : 0;
    }

    bool differs(const DiffNode& leaf) const {
        if (!leaf.pair || !m_document.hasValues()) {
            return leaf.sums.differs();
        }
        return !m_request.equality.holds(m_document.structure.pairs[*leaf.pair],
                                         m_document.values[*leaf.pair]);
    }

    const DiffDocument& m_document;
    const DiffTree& m_tree;
    const DiffRows::Request& m_request;
    DiffRows& m_rows;
    QStringList m_words;
    QString m_name;
};

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

Result<DiffRowsPtr> DiffRows::make(DiffDocumentPtr document, const Request& request,
                                   const CancelToken& cancel) {
    auto rows = std::make_shared<DiffRows>();
    rows->document = std::move(document);
    CAIRN_CHECK(Lister(*rows->document, request, *rows).run(cancel));
    return DiffRowsPtr(std::move(rows));
}

void DiffModel::show(DiffRowsPtr rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

std::uint32_t DiffModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : 0;
}

const DiffNode* DiffModel::nodeAt(const QModelIndex& index) const {
    return m_rows && index.isValid() ? &m_rows->document->tree.nodes[nodeOf(index)] : nullptr;
}

QModelIndex DiffModel::indexOf(std::uint32_t node) const {
    return m_rows && node != 0 && m_rows->row[node] >= 0
               ? createIndex(m_rows->row[node], 0, quintptr{node})
               : QModelIndex();
}

QModelIndex DiffModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column,
                       quintptr{m_rows->children[nodeOf(parent)][static_cast<std::size_t>(row)]});
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
