// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/navigator_model.h"

#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/run_counts.h"
#include "core/runs/scan/far_host.h"
#include "ui/bridge/release_on_worker.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/navigator_node.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <chrono>

namespace cairn::ui {
namespace {

constexpr std::int64_t kTogetherNs = 600'000'000'000;
constexpr std::size_t kFewRows = 4; ///< with another mark

bool isWhole(const ScannedCheckpoint& checkpoint) {
    return !checkpoint.isLink() && checkpoint.mayBeComplete();
}

/// Its index was not read yet, and it may still be written.
bool isFresh(const ScannedCheckpoint& checkpoint) {
    const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    return checkpoint.state == CheckpointState::Unknown && !checkpoint.examined &&
           now - checkpoint.modifiedNs < kStillWritingNs;
}

} // namespace

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
    node->host = hostAccountOf(path);
    m_roots.push_back(std::move(node));
    endInsertRows();
}

void NavigatorModel::setExperiment(NavigatorRows rows) {
    addPending(rows.m_root->path);
    NodePtr fresh = std::move(rows.m_root);
    Node& old = *root(fresh->path);
    fresh->host = old.host;
    if (!old.pending && Node::sameRows(old, *fresh)) {
        old.takeContent(*fresh);
        announceContent(old);
    } else {
        beginResetModel();
        old.giveRoles(*fresh);
        m_roots[static_cast<std::size_t>(old.row(m_roots))].swap(fresh);
        endResetModel();
    }
    releaseOnWorker(std::move(fresh)); // the rows that were replaced
}

void NavigatorModel::announceContent(const Node& root) {
    std::vector<const Node*> open{&root};
    const QModelIndex top = indexOf(&root);
    Q_EMIT dataChanged(top, top);
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (node->children.empty()) {
            continue;
        }
        Q_EMIT dataChanged(indexOf(node->children.front().get()),
                           indexOf(node->children.back().get()));
        for (const NodePtr& child : node->children) {
            open.push_back(child.get());
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

void NavigatorModel::setMarks(RunMarks marks) {
    const std::vector<std::filesystem::path> changed = m_marks.differing(marks);
    m_marks = std::move(marks);
    if (changed.size() <= kFewRows) { // views paint those alone
        for (const std::filesystem::path& run : changed) {
            if (const QModelIndex row = findRun(run); row.isValid()) {
                Q_EMIT dataChanged(row, row, {RunMarkRole, Qt::CheckStateRole});
            }
        }
        return;
    }
    for (const NodePtr& root : m_roots) { // the rows that can be marked: a run, or its experiment
        const QModelIndex top = indexOf(root.get());
        Q_EMIT dataChanged(top, top, {RunMarkRole, Qt::CheckStateRole});
        if (!root->children.empty()) {
            Q_EMIT dataChanged(indexOf(root->children.front().get()),
                               indexOf(root->children.back().get()),
                               {RunMarkRole, Qt::CheckStateRole});
        }
    }
}

void NavigatorModel::setOpened(const std::filesystem::path& path, const CheckpointSums& sums) {
    const QModelIndex parentIndex = find(path);
    if (!parentIndex.isValid() || rowCount(parentIndex) > 0 || sums.groups.empty()) {
        return;
    }
    Node* node = nodeAt(parentIndex);
    beginInsertRows(parentIndex, 0, static_cast<int>(sums.groups.size()) - 1);
    for (const CheckpointSums::Group& group : sums.groups) {
        Node* child = node->add(Kind::Role, path, words::role(group.role));
        child->count = group.tensors;
        child->bytes = group.bytes;
        child->filter = group.filter;
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
               (node.checkpoint->path.native() == checkpoint.native() ||
                node.path.native() == checkpoint.native());
    }));
}

QModelIndex NavigatorModel::findKey(const QString& key) const {
    return indexOf(search([&](const Node& node) { return node.key == key; }));
}

QModelIndex NavigatorModel::findPath(const std::filesystem::path& path) const {
    const QModelIndex checkpoint = find(path);
    return checkpoint.isValid() ? checkpoint : indexOf(search([&](const Node& node) {
        return node.path == path && !node.isFold() && node.kind != Kind::Role;
    }));
}

QModelIndex NavigatorModel::findRun(const std::filesystem::path& run) const {
    // Only rows that can be a run are compared, and by their bytes: there may be thousands, and all
    // marked runs are looked up with every mark.
    const auto same = [&](const std::filesystem::path& path) {
        return path.native() == run.native();
    };
    for (const NodePtr& root : m_roots) {
        if (root->kind == Kind::Checkpoint
                ? same(root->path.parent_path())
                : isRun(*root) && same(root->listing->runs.front().path)) {
            return indexOf(root.get());
        }
        for (const NodePtr& child : root->children) {
            if (child->kind == Kind::Run && same(child->path)) {
                return indexOf(child.get());
            }
        }
    }
    return {};
}

std::vector<std::filesystem::path>
NavigatorModel::neighbours(const std::filesystem::path& checkpoint) const {
    const QModelIndex index = find(checkpoint);
    std::vector<std::filesystem::path> paths;
    if (index.isValid()) {
        const RunSaves saves(*nodeAt(index)->run);
        for (const ScannedCheckpoint& each : nodeAt(index)->run->checkpoints) {
            if (saves.has(each) || each.path == checkpoint) {
                paths.push_back(each.path);
            }
        }
    }
    return paths;
}

QModelIndex NavigatorModel::firstChoice(const std::filesystem::path& experiment) const {
    const Node* node = root(experiment);
    if (node == nullptr || node->listing == nullptr) {
        return {};
    }
    const ScannedCheckpoint* best = nullptr;
    const ScannedCheckpoint* any = nullptr;
    std::size_t bestCount = 0;
    for (const ScannedRun& run : node->listing->runs) {
        any = any != nullptr || run.checkpoints.empty() ? any : &run.checkpoints.back();
        const auto lastThat = [&](const auto& test) {
            return std::find_if(run.checkpoints.rbegin(), run.checkpoints.rend(), test);
        };
        const auto isSettled = [](const ScannedCheckpoint& each) {
            return isWhole(each) && !isFresh(each);
        };
        // Of several files of one step the latest is not the last in the list.
        auto last = lastThat([&](const auto& each) { return each.latest && isSettled(each); });
        last = last == run.checkpoints.rend() ? lastThat(isSettled) : last;
        last = last == run.checkpoints.rend() ? lastThat(isWhole) : last;
        if (last == run.checkpoints.rend()) {
            continue;
        }
        if (best != nullptr && best->isExport != last->isExport) { // the source, not its output
            best = last->isExport ? best : &*last;
            bestCount = last->isExport ? bestCount : run.checkpoints.size();
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

bool NavigatorModel::isFold(const QModelIndex& index) const {
    return nodeAt(index)->isFold();
}

const ScannedCheckpoint* NavigatorModel::checkpointAt(const QModelIndex& index) const {
    for (const Node* node = index.isValid() ? nodeAt(index) : nullptr; node != nullptr;
         node = node->parent) {
        if (node->kind == Kind::Checkpoint) {
            return node->checkpoint;
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

} // namespace cairn::ui
