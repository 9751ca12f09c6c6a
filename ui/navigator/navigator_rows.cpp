// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/navigator_rows.h"

#include "core/runs/pins.h"
#include "core/runs/run_counts.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/navigator_node.h"
#include "ui/navigator/run_names.h"
#include "ui/text/plain_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cairn::ui {
namespace {

using Checkpoints = std::vector<const ScannedCheckpoint*>;

} // namespace

NavigatorModel::Node* NavigatorModel::Node::add(Kind childKind,
                                                const std::filesystem::path& childPath,
                                                const QString& childName) {
    auto child = std::make_unique<Node>();
    child->kind = childKind;
    child->parent = this;
    child->place = children.size();
    child->path = childPath;
    child->name = childName;
    child->key =
        key + QLatin1Char('\n') + text::fromPath(childPath) + QLatin1Char('\n') + childName;
    children.push_back(std::move(child));
    return children.back().get();
}

int NavigatorModel::Node::row(const std::vector<NodePtr>& roots) const {
    if (parent != nullptr) {
        return static_cast<int>(place);
    }
    const auto at =
        std::ranges::find_if(roots, [this](const NodePtr& node) { return node.get() == this; });
    return static_cast<int>(at - roots.begin());
}

NavigatorRows::NavigatorRows(ExperimentPtr listing)
    : m_root(std::make_unique<NavigatorModel::Node>()) {
    m_root->path = listing->path;
    m_root->key = text::fromPath(listing->path);
    m_root->fill(std::move(listing));
}

NavigatorRows::NavigatorRows(NavigatorRows&&) noexcept = default;
NavigatorRows& NavigatorRows::operator=(NavigatorRows&&) noexcept = default;
NavigatorRows::~NavigatorRows() = default;

void NavigatorModel::Node::fill(ExperimentPtr experiment) {
    listing = std::move(experiment);
    count = listing->checkpoints();
    name = text::fromCore(listing->name);
    for (const ScannedRun& each : listing->runs) {
        bytes += each.bytes();
        if (listing->isCheckpoint && !each.checkpoints.empty()) {
            kind = Kind::Checkpoint;
            checkpoint = &each.checkpoints.front();
            isOnly = true;
            run = &each;
            return;
        }
        if (each.id == "." && hasOneRun()) {
            addRun(each);
            continue;
        }
        Node* child = add(Kind::Run, each.path, words::runName(*listing, each));
        child->bytes = each.bytes();
        child->count = savesOf(each);
        child->run = &each;
        child->addRun(each);
        child->findSharedStarts();
    }
    findSharedStarts();
}

/// Of its runs and of its checkpoints.
void NavigatorModel::Node::findSharedStarts() {
    for (const Kind kindOfChild : {Kind::Run, Kind::Checkpoint}) {
        QStringList names;
        for (const NodePtr& child : children) {
            if (child->kind == kindOfChild) {
                names << child->name;
            }
        }
        const qsizetype shared = text::sharedStart(names);
        for (const NodePtr& child : children) {
            child->sharedStart = child->kind == kindOfChild ? shared : child->sharedStart;
        }
    }
}

void NavigatorModel::Node::addRun(const ScannedRun& of) {
    const Checkpoints order = newestFirst(of);
    const std::size_t saves = savesOf(of);
    const RunSaves counts(of);
    const bool folds = saves >= kFoldFrom;
    std::size_t shown = 0;
    Checkpoints older;
    Checkpoints exports;
    for (const ScannedCheckpoint* each : order) {
        if (!each->isLink() && !counts.has(*each)) {
            exports.push_back(each);
            continue;
        }
        shown += each->isLink() ? 0U : 1U;
        if (folds && shown > kShown && !each->best) {
            older.push_back(each);
        } else {
            addCheckpoint(*each, of)->isOnly = saves == 1;
        }
    }
    if (!older.empty()) {
        addOlder(older, of);
    }
    if (!exports.empty()) {
        addExports(exports, of);
    }
}

void NavigatorModel::Node::addOlder(const Checkpoints& older, const ScannedRun& of) {
    Node* fold = add(Kind::Older, of.path, {});
    fold->run = &of;
    fold->key += QStringLiteral("older");
    for (const ScannedCheckpoint* each : older) {
        fold->addCheckpoint(*each, of);
        fold->bytes += each->bytes;
        fold->count += each->isLink() ? 0U : 1U;
    }
    fold->name = NavigatorModel::tr("%Ln older", nullptr, static_cast<int>(fold->count));
}

/// Each is named by the checkpoint that it was made of.
void NavigatorModel::Node::addExports(const Checkpoints& exports, const ScannedRun& of) {
    std::set<std::filesystem::path> verified;
    for (const ScannedCheckpoint& source : of.checkpoints) {
        for (const ExportedTo& output : source.exports) {
            if (output.verified) {
                verified.insert(output.path);
            }
        }
    }
    Node* fold = add(Kind::Exports, of.path, {});
    fold->run = &of;
    fold->key += QStringLiteral("exports");
    for (const ScannedCheckpoint* each : exports) {
        Node* child = fold->addCheckpoint(*each, of);
        child->name = words::exportName(*each);
        child->isExport = true;
        child->isVerified = verified.contains(each->path);
        fold->bytes += each->bytes;
        ++fold->count;
    }
    fold->name = NavigatorModel::tr("Exports (%1)").arg(text::count(fold->count));
}

NavigatorModel::Node* NavigatorModel::Node::addCheckpoint(const ScannedCheckpoint& scanned,
                                                          const ScannedRun& of) {
    Node* child = add(Kind::Checkpoint, scanned.path, text::fromCore(scanned.name));
    child->bytes = scanned.bytes;
    child->checkpoint = &scanned;
    child->run = &of;
    child->isPinned = !scanned.isLink() && cairn::isPinned(scanned.path);
    child->bestText = scanned.best && of.bestValue ? text::number(*of.bestValue) : QString();
    return child;
}

bool NavigatorModel::Node::sameRows(const Node& a, const Node& b) {
    std::vector<std::pair<const Node*, const Node*>> open{{&a, &b}};
    while (!open.empty()) {
        const auto [left, right] = open.back();
        open.pop_back();
        if (left->kind != right->kind || left->key != right->key) {
            return false;
        }
        if (left->kind == Kind::Checkpoint) {
            continue;
        }
        if (left->children.size() != right->children.size()) {
            return false;
        }
        for (std::size_t i = 0; i < left->children.size(); ++i) {
            open.emplace_back(left->children[i].get(), right->children[i].get());
        }
    }
    return true;
}

void NavigatorModel::Node::takeContent(Node& fresh) {
    std::vector<std::pair<Node*, Node*>> open{{this, &fresh}};
    while (!open.empty()) {
        const auto [to, from] = open.back();
        open.pop_back();
        to->name.swap(from->name);
        to->sharedStart = from->sharedStart;
        to->bytes = from->bytes;
        to->count = from->count;
        to->pending = from->pending;
        std::swap(to->checkpoint, from->checkpoint);
        to->isOnly = from->isOnly;
        to->isVerified = from->isVerified;
        to->isPinned = from->isPinned;
        to->bestText.swap(from->bestText);
        to->run = from->run;
        for (std::size_t i = 0; i < from->children.size(); ++i) {
            open.emplace_back(to->children[i].get(), from->children[i].get());
        }
    }
    listing.swap(fresh.listing);
}

void NavigatorModel::Node::giveRoles(Node& fresh) {
    std::map<std::filesystem::path, Node*> opened;
    std::vector<Node*> open{this};
    while (!open.empty()) {
        Node* node = open.back();
        open.pop_back();
        if (node->kind == Kind::Checkpoint && !node->children.empty()) {
            opened.emplace(node->path, node);
            continue;
        }
        for (const NodePtr& child : node->children) {
            open.push_back(child.get());
        }
    }
    open.push_back(&fresh);
    while (!open.empty()) {
        Node* node = open.back();
        open.pop_back();
        const auto old = node->kind == Kind::Checkpoint ? opened.find(node->path) : opened.end();
        if (old == opened.end()) {
            for (const NodePtr& child : node->children) {
                open.push_back(child.get());
            }
            continue;
        }
        const ScannedCheckpoint& was = *old->second->checkpoint;
        const ScannedCheckpoint& now = *node->checkpoint;
        if (was.bytes != now.bytes || was.modifiedNs != now.modifiedNs) {
            continue;
        }
        for (const NodePtr& role : old->second->children) {
            Node* copy = node->add(Kind::Role, role->path, role->name);
            copy->count = role->count;
            copy->bytes = role->bytes;
            copy->filter = role->filter;
        }
    }
}

} // namespace cairn::ui
