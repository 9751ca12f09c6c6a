// SPDX-License-Identifier: GPL-3.0-or-later
// Which run a row belongs to, and runs that are dragged on one another.
#include "ui/navigator/navigator_node.h"
#include "ui/navigator/run_names.h"
#include "ui/text/plain_text.h"

#include <QMimeData>
#include <QUrl>

#include <algorithm>

namespace cairn::ui {
namespace {

/// The row's key; only meaningful in the window that it came from.
const QString kRunMime = QStringLiteral("application/x-cairn-run");

} // namespace

bool NavigatorModel::isRun(const Node& node) {
    return node.kind == Kind::Run || // an experiment has the box only if nothing else has it
           (node.kind == Kind::Experiment && node.hasOneRun() &&
            node.listing->runs.front().id == ".");
}

const ScannedRun* NavigatorModel::scannedRunAt(const Node& at) const {
    const Node& node = at.kind == Kind::Role ? *at.parent : at;
    return node.kind == Kind::Experiment && node.hasOneRun() ? &node.listing->runs.front()
                                                             : node.run;
}

std::optional<RunPlace> NavigatorModel::runAt(const QModelIndex& index) const {
    const ScannedRun* run = index.isValid() ? scannedRunAt(*nodeAt(index)) : nullptr;
    if (run == nullptr) {
        return std::nullopt;
    }
    const Node* root = nodeAt(index);
    while (root->parent != nullptr) {
        root = root->parent;
    }
    RunPlace place{run->path, root->path, words::runName(*root->listing, *run), *run};
    if (root->listing->isCheckpoint) { // its history is in its folder's parent
        place.path = root->path.parent_path();
        place.root = place.path;
        place.name = text::fromPath(place.path.filename());
    }
    return place;
}

std::filesystem::path NavigatorModel::runPathAt(const QModelIndex& index) const {
    const ScannedRun* run = index.isValid() ? scannedRunAt(*nodeAt(index)) : nullptr;
    const Experiment* experiment = experimentAt(index);
    return run == nullptr             ? std::filesystem::path()
           : experiment->isCheckpoint ? experiment->path.parent_path()
                                      : run->path;
}

const Experiment* NavigatorModel::experimentAt(const QModelIndex& index) const {
    const Node* root = index.isValid() ? nodeAt(index) : nullptr;
    while (root != nullptr && root->parent != nullptr) {
        root = root->parent;
    }
    return root != nullptr ? root->listing.get() : nullptr;
}

QModelIndex NavigatorModel::findExperiment(const std::filesystem::path& path) const {
    return indexOf(root(path));
}

Qt::ItemFlags NavigatorModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (!index.isValid()) {
        return flags;
    }
    const Node& node = *nodeAt(index);
    if (node.kind == Kind::Role) {
        return flags | Qt::ItemNeverHasChildren;
    }
    if (isRun(node) || node.kind == Kind::Checkpoint) {
        flags |= Qt::ItemIsDragEnabled;
    }
    if (isRun(node)) {
        flags |= Qt::ItemIsUserCheckable;
    }
    return node.kind == Kind::Experiment && !isRun(node) ? flags : flags | Qt::ItemIsDropEnabled;
}

QStringList NavigatorModel::mimeTypes() const {
    return {kRunMime}; // accepted types; the window handles files from outside
}

QMimeData* NavigatorModel::mimeData(const QModelIndexList& indexes) const {
    auto* data = new QMimeData;
    QList<QUrl> urls;
    for (const QModelIndex& index : indexes) {
        const Node& node = *nodeAt(index);
        // from the bytes of the path: its text shows unusual characters in a readable form
        const QByteArray path(node.path.c_str());
        urls << QUrl::fromEncoded("file://" + path.toPercentEncoding("/"));
        if (isRun(node)) {
            data->setData(kRunMime, node.key.toUtf8());
        }
    }
    data->setUrls(urls);
    return data;
}

const ScannedRun* NavigatorModel::draggedRun(const QMimeData* data) const {
    const QString key = QString::fromUtf8(data->data(kRunMime));
    const QModelIndex index = key.isEmpty() ? QModelIndex() : findKey(key);
    return index.isValid() ? scannedRunAt(*nodeAt(index)) : nullptr;
}

bool NavigatorModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int row, int,
                                     const QModelIndex& parent) const {
    if (row >= 0 || !parent.isValid()) {
        return false; // between rows
    }
    const ScannedRun* dragged = draggedRun(data);
    const ScannedRun* target = scannedRunAt(*nodeAt(parent));
    return dragged != nullptr && target != nullptr && dragged->path != target->path;
}

bool NavigatorModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                  const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) {
        return false;
    }
    const auto dragged = runAt(findKey(QString::fromUtf8(data->data(kRunMime))));
    const auto target = runAt(parent);
    if (!dragged || !target) {
        return false;
    }
    Q_EMIT runsDropped(*dragged, *target);
    return true;
}

} // namespace cairn::ui
