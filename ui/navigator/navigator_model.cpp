// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/navigator_model.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <map>
#include <set>

namespace cairn::ui {
namespace {

constexpr std::int64_t kTogetherNs = 600'000'000'000;

bool isWhole(const ScannedCheckpoint& checkpoint) {
    return checkpoint.state == CheckpointState::Unknown ||
           checkpoint.state == CheckpointState::Complete;
}

/// "role:weight,buffer": the tensors page's filter for tensors of these roles.
QString roleFilter(const std::set<Role>& roles) {
    QStringList names;
    for (const Role role : roles) {
        names << text::fromCore(roleName(role));
    }
    return QStringLiteral("role:") + names.join(QLatin1Char(','));
}

} // namespace

/// One row. Children are owned; `parent` is null for an experiment. Runs and checkpoints copy what
/// they show out of the root's listing, so that a row never points into a vector that a sort moves.
struct NavigatorModel::Node {
    Kind kind = Kind::Experiment;
    Node* parent = nullptr;
    std::vector<NodePtr> children;
    std::filesystem::path path;
    QString name;
    QString key;
    std::uint64_t bytes = 0;
    std::uint64_t count = 0; ///< checkpoints of an experiment or run, tensors of a role
    bool pending = false;    ///< being listed
    QString filter;          ///< of a role
    ScannedCheckpoint checkpoint;
    Experiment listing; ///< of a root

    Node* add(Kind childKind, const std::filesystem::path& childPath, const QString& childName) {
        auto child = std::make_unique<Node>();
        child->kind = childKind;
        child->parent = this;
        child->path = childPath;
        child->name = childName;
        child->key =
            key + QLatin1Char('\n') + text::fromPath(childPath) + QLatin1Char('\n') + childName;
        children.push_back(std::move(child));
        return children.back().get();
    }
    int row(const std::vector<NodePtr>& roots) const {
        const auto& list = parent != nullptr ? parent->children : roots;
        const auto at =
            std::ranges::find_if(list, [this](const NodePtr& node) { return node.get() == this; });
        return static_cast<int>(at - list.begin());
    }
};

NavigatorModel::NavigatorModel(QObject* parent) : QAbstractItemModel(parent) {}
NavigatorModel::~NavigatorModel() = default;

NavigatorModel::Node* NavigatorModel::nodeAt(const QModelIndex& index) const {
    return static_cast<Node*>(index.internalPointer());
}

QModelIndex NavigatorModel::indexOf(const Node* node) const {
    return node != nullptr ? createIndex(node->row(m_roots), 0, node) : QModelIndex();
}

NavigatorModel::Node* NavigatorModel::root(const std::filesystem::path& path) const {
    const auto at =
        std::ranges::find_if(m_roots, [&](const NodePtr& node) { return node->path == path; });
    return at != m_roots.end() ? at->get() : nullptr;
}

template <class Match>
const NavigatorModel::Node* NavigatorModel::search(const Match& match) const {
    std::vector<const Node*> open;
    for (const NodePtr& node : m_roots) {
        open.push_back(node.get());
    }
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (match(*node)) {
            return node;
        }
        for (const NodePtr& child : node->children) {
            open.push_back(child.get());
        }
    }
    return nullptr;
}

void NavigatorModel::addPending(const std::filesystem::path& path) {
    if (root(path) != nullptr) {
        return;
    }
    const int row = static_cast<int>(m_roots.size());
    beginInsertRows({}, row, row);
    auto node = std::make_unique<Node>();
    node->path = path;
    node->pending = true;
    node->name =
        text::fromPath(path.has_filename() ? path.filename() : path.parent_path().filename());
    node->key = text::fromPath(path);
    m_roots.push_back(std::move(node));
    endInsertRows();
}

void NavigatorModel::setExperiment(const Experiment& experiment) {
    addPending(experiment.path);
    beginResetModel();
    Node& node = *root(experiment.path);
    node.pending = false;
    node.listing = experiment;
    fill(node);
    endResetModel();
}

void NavigatorModel::fill(Node& root) {
    root.children.clear();
    root.bytes = 0;
    root.count = root.listing.checkpoints();
    root.name = text::fromCore(root.listing.name);
    root.kind = Kind::Experiment;
    for (const ScannedRun& run : root.listing.runs) {
        root.bytes += run.bytes();
        if (root.listing.isCheckpoint && !run.checkpoints.empty()) {
            root.kind = Kind::Checkpoint;
            root.checkpoint = run.checkpoints.front();
            return;
        }
        Node* parent = &root;
        if (run.id != ".") {
            parent = root.add(Kind::Run, run.path, text::fromCore(run.name));
            parent->bytes = run.bytes();
            parent->count = run.checkpoints.size();
        }
        for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
            Node* child =
                parent->add(Kind::Checkpoint, checkpoint.path, text::fromCore(checkpoint.name));
            child->bytes = checkpoint.bytes;
            child->checkpoint = checkpoint;
        }
    }
}

void NavigatorModel::removeExperiment(const std::filesystem::path& path) {
    if (const Node* node = root(path)) {
        const int row = node->row(m_roots);
        beginRemoveRows({}, row, row);
        m_roots.erase(m_roots.begin() + row);
        endRemoveRows();
    }
}

void NavigatorModel::applyFacts(const std::filesystem::path& checkpoint,
                                const CheckpointFacts& facts) {
    for (const NodePtr& root : m_roots) {
        for (ScannedRun& run : root->listing.runs) {
            for (ScannedCheckpoint& scanned : run.checkpoints) {
                if (scanned.path == checkpoint) {
                    cairn::applyFacts(scanned, facts);
                }
            }
        }
    }
    const QModelIndex found = find(checkpoint);
    if (found.isValid()) {
        cairn::applyFacts(nodeAt(found)->checkpoint, facts);
        Q_EMIT dataChanged(found, found);
    }
}

void NavigatorModel::settle(const std::filesystem::path& experiment) {
    Node* node = root(experiment);
    if (node == nullptr) {
        return;
    }
    bool moved = false;
    for (ScannedRun& run : node->listing.runs) {
        const auto order = [&run] {
            std::vector<std::pair<std::filesystem::path, bool>> paths;
            for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
                paths.emplace_back(checkpoint.path, checkpoint.latest);
            }
            return paths;
        };
        const auto before = order();
        sortCheckpoints(run);
        moved = moved || order() != before;
    }
    if (moved) {
        beginResetModel();
        fill(*node);
        endResetModel();
    }
}

void NavigatorModel::setOpened(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    const QModelIndex parentIndex = find(path);
    if (!parentIndex.isValid() || rowCount(parentIndex) > 0) {
        return;
    }
    struct Sum {
        std::uint64_t tensors = 0;
        std::uint64_t bytes = 0;
        std::set<Role> roles;
    };
    std::map<Role, Sum> sums;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        auto& [tensors, bytes, roles] = sums[words::group(tensor.role)];
        roles.insert(tensor.role);
        ++tensors;
        bytes += tensor.aliasOf ? 0 : tensor.bytes();
    }
    if (sums.empty()) {
        return;
    }
    Node* node = nodeAt(parentIndex);
    beginInsertRows(parentIndex, 0, static_cast<int>(sums.size()) - 1);
    for (const auto& [role, sum] : sums) {
        Node* child = node->add(Kind::Role, path, words::role(role));
        child->count = sum.tensors;
        child->bytes = sum.bytes;
        child->filter = roleFilter(sum.roles);
    }
    endInsertRows();
}

std::vector<std::filesystem::path> NavigatorModel::experiments() const {
    std::vector<std::filesystem::path> paths;
    for (const NodePtr& node : m_roots) {
        paths.push_back(node->path);
    }
    return paths;
}

QModelIndex NavigatorModel::find(const std::filesystem::path& checkpoint) const {
    return indexOf(search([&](const Node& node) {
        return node.kind == Kind::Checkpoint &&
               (node.checkpoint.path == checkpoint || node.path == checkpoint);
    }));
}

QModelIndex NavigatorModel::findKey(const QString& key) const {
    return indexOf(search([&](const Node& node) { return node.key == key; }));
}

QModelIndex NavigatorModel::firstChoice(const std::filesystem::path& experiment) const {
    const Node* node = root(experiment);
    if (node == nullptr) {
        return {};
    }
    const ScannedCheckpoint* best = nullptr;
    const ScannedCheckpoint* any = nullptr;
    std::size_t bestCount = 0;
    for (const ScannedRun& run : node->listing.runs) {
        any = any != nullptr || run.checkpoints.empty() ? any : &run.checkpoints.back();
        const auto last = std::find_if(run.checkpoints.rbegin(), run.checkpoints.rend(), isWhole);
        if (last == run.checkpoints.rend()) {
            continue;
        }
        const std::int64_t newer =
            best != nullptr ? last->modifiedNs - best->modifiedNs : kTogetherNs + 1;
        if (newer > kTogetherNs || (newer >= -kTogetherNs && run.checkpoints.size() > bestCount)) {
            best = &*last;
            bestCount = run.checkpoints.size();
        }
    }
    best = best != nullptr ? best : any;
    return best != nullptr ? find(best->path) : QModelIndex();
}

std::filesystem::path NavigatorModel::pathOf(const QModelIndex& index) const {
    return index.isValid() ? nodeAt(index)->path : std::filesystem::path();
}

NavigatorModel::Kind NavigatorModel::kindOf(const QModelIndex& index) const {
    return nodeAt(index)->kind;
}

const ScannedCheckpoint* NavigatorModel::checkpointAt(const QModelIndex& index) const {
    for (const Node* node = index.isValid() ? nodeAt(index) : nullptr; node != nullptr;
         node = node->parent) {
        if (node->kind == Kind::Checkpoint) {
            return &node->checkpoint;
        }
    }
    return nullptr;
}

QModelIndex NavigatorModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    const auto& list = parent.isValid() ? nodeAt(parent)->children : m_roots;
    return createIndex(row, column, list[static_cast<std::size_t>(row)].get());
}

QModelIndex NavigatorModel::parent(const QModelIndex& child) const {
    return child.isValid() ? indexOf(nodeAt(child)->parent) : QModelIndex();
}

int NavigatorModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0) {
        return 0;
    }
    return static_cast<int>((parent.isValid() ? nodeAt(parent)->children : m_roots).size());
}

Qt::ItemFlags NavigatorModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid() && nodeAt(index)->kind == Kind::Role) {
        flags |= Qt::ItemNeverHasChildren;
    }
    return flags;
}

QVariant NavigatorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Node& node = *nodeAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return node.name;
    case KindRole:
        return static_cast<int>(node.kind);
    case PathRole:
        return text::fromPath(node.path);
    case KeyRole:
        return node.key;
    case FilterRole:
        return node.filter;
    case SizeTextRole:
        return node.pending ? tr("reading…") : text::bytes(node.bytes);
    case Qt::AccessibleTextRole:
        return QStringList{node.name, data(index, DimTextRole).toString(),
                           data(index, BadgeTextRole).toString(),
                           data(index, SizeTextRole).toString()}
            .join(QStringLiteral(", "));
    default:
        break;
    }
    switch (node.kind) {
    case Kind::Checkpoint:
        return checkpointData(node, role);
    case Kind::Role:
        return roleData(node, role);
    case Kind::Experiment:
    case Kind::Run:
        break;
    }
    return experimentData(node, role);
}

QVariant NavigatorModel::experimentData(const Node& node, int role) const {
    if (role == DimTextRole && !node.pending) {
        return node.kind == Kind::Experiment && node.listing.runs.size() > 1
                   ? tr("%n runs", nullptr, static_cast<int>(node.listing.runs.size()))
                   : tr("%n checkpoints", nullptr, static_cast<int>(node.count));
    }
    if (role == Qt::ToolTipRole) {
        return text::toolTip(text::fromPath(node.path) + QLatin1Char('\n') +
                             tr("%n checkpoints", nullptr, static_cast<int>(node.count)));
    }
    return {};
}

QVariant NavigatorModel::checkpointData(const Node& node, int role) const {
    ScannedCheckpoint checkpoint = node.checkpoint;
    const auto isCheckpoint = [](const NodePtr& sibling) {
        return sibling->kind == Kind::Checkpoint;
    };
    if (node.parent == nullptr || std::ranges::count_if(node.parent->children, isCheckpoint) == 1) {
        checkpoint.latest = false; // of one, the word says nothing
    }
    switch (role) {
    case BadgeTextRole:
        return words::badge(checkpoint).text;
    case BadgeToneRole:
        return static_cast<int>(words::badge(checkpoint).tone);
    case Qt::ToolTipRole: {
        QStringList lines{text::fromPath(checkpoint.path),
                          words::position(checkpoint.step, checkpoint.epoch),
                          tr("%n files", nullptr, static_cast<int>(checkpoint.files)) +
                              QStringLiteral(" · ") + text::exactBytes(checkpoint.bytes),
                          text::fromCore(checkpoint.reason)};
        lines.removeAll(QString());
        return text::toolTip(lines.join(QLatin1Char('\n')));
    }
    default:
        return {};
    }
}

QVariant NavigatorModel::roleData(const Node& node, int role) const {
    if (role == DimTextRole) {
        return text::count(node.count);
    }
    if (role == Qt::ToolTipRole) {
        return text::toolTip(tr("%n tensors", nullptr, static_cast<int>(node.count)) +
                             QStringLiteral(" · ") + text::exactBytes(node.bytes));
    }
    return {};
}

} // namespace cairn::ui
