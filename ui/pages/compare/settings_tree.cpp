// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/settings_tree.h"

#include "ui/models/row_roles.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <map>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxLevels = 12; ///< deeper keys are not split further
constexpr int kMaxCharacters = 400;    ///< of a value in a cell; the tooltip has more

QString cell(const Value& value) {
    const QString text = text::fromCore(settingText(value));
    return text.isEmpty() ? QStringLiteral("“”") : text;
}

} // namespace

SettingsTree::SettingsTree(QObject* parent) : QAbstractItemModel(parent), m_nodes(1) {}

void SettingsTree::show(const SettingsComparison& settings) {
    beginResetModel();
    m_rows.clear();
    for (const SettingDifference& each : settings.different) {
        m_rows.push_back({each.key, cell(each.left), cell(each.right)});
    }
    for (const Setting& each : settings.onlyLeft) {
        m_rows.push_back({each.key, cell(each.value), {}});
    }
    for (const Setting& each : settings.onlyRight) {
        m_rows.push_back({each.key, {}, cell(each.value)});
    }
    build();
    m_sorter.cancel();
    endResetModel();
    if (m_sort.column >= 0) {
        sort();
    }
}

void SettingsTree::setSort(const RowSort& sort) {
    m_sort = sort;
    this->sort();
}

void SettingsTree::arrange(const Levels& levels) {
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        m_nodes[i].children = levels[i];
    }
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& index : before) {
        const auto& siblings = m_nodes[m_nodes[at(index)].parent].children;
        const auto row = std::ranges::find(siblings, at(index)) - siblings.begin();
        after << createIndex(static_cast<int>(row), index.column(), index.internalId());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

QVariant SettingsTree::sortValue(std::size_t number) const {
    const Node& node = m_nodes[number];
    if (m_sort.column == 0) {
        return node.name;
    }
    if (!node.leaf) {
        return {};
    }
    const Row& row = m_rows[node.row];
    const QString& value = m_sort.column == 1 ? row.left : row.right;
    bool isNumber = false;
    const double figure = value.toDouble(&isNumber);
    return isNumber ? QVariant(figure) : QVariant(value);
}

void SettingsTree::sort() {
    m_sorter.cancel();
    Levels natural;
    std::vector<QVariant> values;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        natural.push_back(m_nodes[i].children);
        std::ranges::sort(natural.back()); // as they were made
        values.push_back(m_sort.column < 0 ? QVariant() : sortValue(i));
    }
    if (m_sort.column < 0) {
        arrange(natural);
        return;
    }
    m_sorter.start(
        [natural = std::move(natural), values = std::move(values),
         descending = m_sort.descending](const CancelToken& cancel) -> Result<Levels> {
            Levels levels;
            for (const std::vector<std::size_t>& children : natural) {
                std::vector<QVariant> keys;
                std::ranges::transform(children, std::back_inserter(keys),
                                       [&](std::size_t child) { return values[child]; });
                CAIRN_TRY(const auto order, sortedRows(keys, descending, cancel));
                levels.emplace_back();
                std::ranges::transform(order, std::back_inserter(levels.back()),
                                       [&](std::uint32_t row) { return children[row]; });
            }
            return levels;
        },
        [this](const Result<Levels>& levels) {
            if (levels && levels->size() == m_nodes.size()) {
                arrange(*levels);
            }
        });
}

void SettingsTree::build() {
    m_nodes.assign(1, {});
    // The number of settings below each branch: a branch with a single one is not needed.
    std::map<std::string, int> below;
    const auto eachBranch = [](const std::string& key, const auto& visit) {
        std::size_t dot = key.find('.');
        for (std::size_t level = 0; dot != std::string::npos && level < kMaxLevels; ++level) {
            if (!visit(dot)) {
                return;
            }
            dot = key.find('.', dot + 1);
        }
    };
    for (const Row& row : m_rows) {
        eachBranch(row.key, [&](std::size_t dot) {
            ++below[row.key.substr(0, dot)];
            return true;
        });
    }
    std::map<std::string, std::size_t> branches;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const std::string& key = m_rows[i].key;
        std::size_t parent = 0;
        std::size_t start = 0;
        eachBranch(key, [&](std::size_t dot) {
            const std::string prefix = key.substr(0, dot);
            if (below[prefix] < 2) {
                return false;
            }
            const auto [known, isNew] = branches.emplace(prefix, m_nodes.size());
            if (isNew) {
                m_nodes.push_back(
                    {prefix, text::fromCore(key.substr(start, dot - start)), parent, {}, 0, false});
                m_nodes[parent].children.push_back(known->second);
            }
            parent = known->second;
            start = dot + 1;
            return true;
        });
        m_nodes[parent].children.push_back(m_nodes.size());
        m_nodes.push_back({{}, text::fromCore(key.substr(start)), parent, {}, i, true});
    }
}

std::size_t SettingsTree::at(const QModelIndex& index) const {
    return index.isValid() ? static_cast<std::size_t>(index.internalId()) : 0;
}

std::string SettingsTree::key(const QModelIndex& index) const {
    const Node& node = m_nodes[at(index)];
    return node.leaf ? m_rows[node.row].key : node.prefix + ".*";
}

QModelIndex SettingsTree::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(
        row, column,
        static_cast<quintptr>(m_nodes[at(parent)].children[static_cast<std::size_t>(row)]));
}

QModelIndex SettingsTree::parent(const QModelIndex& child) const {
    const std::size_t parent = m_nodes[at(child)].parent;
    if (parent == 0) {
        return {};
    }
    const auto& siblings = m_nodes[m_nodes[parent].parent].children;
    const auto row = std::ranges::find(siblings, parent) - siblings.begin();
    return createIndex(static_cast<int>(row), 0, static_cast<quintptr>(parent));
}

int SettingsTree::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(m_nodes[at(parent)].children.size());
}

int SettingsTree::columnCount(const QModelIndex&) const {
    return 3;
}

QVariant SettingsTree::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Node& node = m_nodes[at(index)];
    if (index.column() == 0) {
        switch (role) {
        case Qt::DisplayRole:
            return node.name;
        case Qt::ToolTipRole:
            return text::toolTip(text::fromCore(key(index)));
        case RowRoles::FullName:
            return text::fromCore(key(index));
        default:
            return {};
        }
    }
    if (!node.leaf) {
        return {};
    }
    const Row& row = m_rows[node.row];
    const QString& value = index.column() == 1 ? row.left : row.right;
    switch (role) {
    case Qt::DisplayRole:
        return value.isEmpty() ? QStringLiteral("—") : value.left(kMaxCharacters);
    case Qt::ToolTipRole:
        return text::toolTip(value.isEmpty() ? tr("not set in this run") : value);
    case Qt::AccessibleTextRole:
        return value.isEmpty() ? tr("not set") : value;
    case RowRoles::Dim:
        return value.isEmpty();
    default:
        return {};
    }
}

QVariant SettingsTree::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section > 2) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return section == 0 ? tr("setting") : QString(QLatin1Char(section == 1 ? 'A' : 'B'));
    }
    if (role == Qt::ForegroundRole && section > 0) {
        return theme::series(section - 1, QGuiApplication::palette());
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    }
    return {};
}

} // namespace cairn::ui
