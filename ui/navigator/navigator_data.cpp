// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/scan/far_host.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/navigator/navigator_node.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"

#include <algorithm>
#include <iterator>

namespace cairn::ui {
namespace {

constexpr std::size_t kTipNotices = 6;

} // namespace

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
    case RunMarkRole:
        return runMark(node);
    case SharedStartRole:
        return static_cast<int>(node.sharedStart);
    case Qt::CheckStateRole: {
        const QVariant mark = runMark(node);
        return mark.isValid() ? QVariant(mark.toInt() >= 0 ? Qt::Checked : Qt::Unchecked) : mark;
    }
    case SizeTextRole:
        return node.pending                                              ? tr("reading…")
               : node.checkpoint != nullptr && node.checkpoint->isLink() ? QString()
                                                                         : text::bytes(node.bytes);
    case Qt::AccessibleTextRole: {
        QStringList parts{node.name, data(index, DimTextRole).toString()};
        parts << data(index, BadgeTextsRole).toStringList() << data(index, SizeTextRole).toString();
        parts.removeAll(QString());
        return parts.join(QStringLiteral(", "));
    }
    case GreyRole:
        if (isLost(node)) {
            return true;
        }
        break;
    default:
        break;
    }
    switch (node.kind) {
    case Kind::Checkpoint:
        return checkpointData(node, role);
    case Kind::Role:
        return roleData(node, role);
    case Kind::Older:
    case Kind::Exports:
        return role == Qt::ToolTipRole ? text::toolTip(foldTip(node)) : QVariant();
    case Kind::Experiment:
    case Kind::Run:
        break;
    }
    return experimentData(node, role);
}

QString NavigatorModel::foldTip(const Node& node) {
    return node.kind == Kind::Older ? tr("%Ln checkpoints", nullptr, static_cast<int>(node.count))
                                    : tr("Exports of this run's checkpoints, and final models "
                                         "beside them: not counted, ranked, "
                                         "compared or removed as checkpoints");
}

QVariant NavigatorModel::experimentData(const Node& node, int role) const {
    if (role == DimTextRole && !node.pending) {
        return node.kind == Kind::Experiment && node.listing && node.listing->runs.size() > 1
                   ? tr("%Ln runs", nullptr, static_cast<int>(node.listing->runs.size()))
                   : tr("%Ln checkpoints", nullptr, static_cast<int>(node.count));
    }
    if (role == Qt::ToolTipRole) {
        QStringList lines{text::fromPath(node.path),
                          tr("%Ln checkpoints", nullptr, static_cast<int>(node.count)) +
                              QStringLiteral(" · ") + text::exactBytes(node.bytes)};
        const std::size_t notices = node.listing ? node.listing->notices.size() : 0;
        for (std::size_t i = 0; i < std::min(kTipNotices, notices); ++i) {
            const text::ErrorWords words = text::describe(node.listing->notices[i].error);
            lines << words.title + QStringLiteral(": ") + words.detail;
        }
        lines << hostTip(node);
        lines.removeAll(QString());
        return text::toolTip(lines.join(QLatin1Char('\n')));
    }
    if (role == BadgeTextsRole) {
        QStringList texts;
        for (const Badge& badge : problemBadges(node)) {
            texts << badge.text;
        }
        return texts;
    }
    return {};
}

std::vector<Badge> NavigatorModel::problemBadges(const Node& node) {
    std::vector<Badge> badges = hostBadges(node);
    const auto notices = node.listing ? static_cast<int>(node.listing->notices.size()) : 0;
    if (notices > 0) {
        badges.push_back({tr("%Ln problems", nullptr, notices), theme::Tone::Attention});
    }
    return badges;
}

std::vector<Badge> NavigatorModel::hostBadges(const Node& node) {
    const auto state = node.host.empty() ? std::nullopt : hostState(node.host);
    if (!state) {
        return {};
    }
    const QString host = text::fromCore(node.host);
    switch (state->link) {
    case HostLink::Connecting:
        return {{tr("%1: connecting…").arg(host), theme::Tone::Dim}};
    case HostLink::Connected:
        return {{host, theme::Tone::Good}};
    case HostLink::Lost:
        break;
    }
    return {{tr("%1: connection lost").arg(host), theme::Tone::Attention}};
}

QString NavigatorModel::hostTip(const Node& node) {
    const auto state = node.host.empty() ? std::nullopt : hostState(node.host);
    if (!state) {
        return {};
    }
    if (state->link != HostLink::Lost) {
        return state->link == HostLink::Connected
                   ? tr("Connected to %1").arg(text::fromCore(node.host))
                   : QString();
    }
    const text::ErrorWords words = state->why ? text::describe(*state->why) : text::ErrorWords();
    return words.title + QLatin1Char('\n') + words.detail;
}

bool NavigatorModel::isLost(const Node& node) {
    const Node* root = &node;
    while (root->parent != nullptr) {
        root = root->parent;
    }
    const auto state = root->host.empty() ? std::nullopt : hostState(root->host);
    return state && state->link == HostLink::Lost;
}

void NavigatorModel::updateHost(const QString& host) {
    const std::string name = host.toStdString();
    for (const NodePtr& root : m_roots) {
        if (root->host == name) {
            announceContent(*root);
        }
    }
}

QVariant NavigatorModel::runMark(const Node& node) const {
    if (!isRun(node)) {
        return {};
    }
    return m_marks.slotOf(node.kind == Kind::Run ? node.path : node.listing->runs.front().path);
}

bool NavigatorModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const bool isMark = role == Qt::CheckStateRole && index.data(RunMarkRole).isValid();
    if (isMark) {
        Q_EMIT markEdited(runAt(index)->path, value.toInt() == Qt::Checked);
    }
    return isMark;
}

std::vector<Badge> NavigatorModel::badgesOf(const Node& node) const {
    std::vector<Badge> badges = hostBadges(node);
    std::ranges::move(words::badges(*node.checkpoint, node.bestText, node.isOnly),
                      std::back_inserter(badges));
    if (node.isPinned) {
        badges.push_back({tr("pinned"), theme::Tone::Accent});
    }
    if (node.isExport && node.isVerified) {
        badges.push_back({tr("verified"), theme::Tone::Good});
    }
    return badges;
}

std::vector<Badge> NavigatorModel::badges(const QModelIndex& index) const {
    if (!index.isValid()) {
        return {};
    }
    const Node& node = *nodeAt(index);
    return node.kind == Kind::Checkpoint ? badgesOf(node) : problemBadges(node);
}

QVariant NavigatorModel::checkpointData(const Node& node, int role) const {
    const ScannedCheckpoint& checkpoint = *node.checkpoint;
    switch (role) {
    case DimTextRole:
        return checkpoint.isLink() ? QStringLiteral("→ ") + text::fromCore(checkpoint.linkTo)
               : node.isExport     ? text::fromCore(checkpoint.name)
                                   : QString();
    case GreyRole:
        return checkpoint.isLink() || checkpoint.state == CheckpointState::BeingWritten;
    case BadgeTextRole: {
        const auto badges = badgesOf(node);
        return badges.empty() ? QString() : badges.front().text;
    }
    case BadgeToneRole: {
        const auto badges = badgesOf(node);
        return static_cast<int>(badges.empty() ? theme::Tone::Dim : badges.front().tone);
    }
    case BadgeTextsRole: {
        QStringList texts;
        for (const Badge& badge : badgesOf(node)) {
            texts << badge.text;
        }
        return texts;
    }
    case Qt::ToolTipRole:
        return checkpointTip(node);
    default:
        return {};
    }
}

QString NavigatorModel::checkpointTip(const Node& node) const {
    const ScannedCheckpoint& checkpoint = *node.checkpoint;
    QStringList lines{text::fromPath(checkpoint.path)};
    if (checkpoint.isLink()) {
        lines << tr("Link to %1").arg(text::fromCore(checkpoint.linkTo));
    } else {
        lines << words::decisions(*node.run, checkpoint)
              << tr("%Ln files", nullptr, static_cast<int>(checkpoint.files)) +
                     QStringLiteral(" · ") + text::exactBytes(checkpoint.bytes);
    }
    for (const std::string& pointer : checkpoint.pointedBy) {
        lines << tr("Referenced by the file %1").arg(text::fromCore(pointer));
    }
    for (const ExportedTo& output : checkpoint.exports) {
        lines << (output.verified ? tr("Exported to %1") : tr("Exported to %1, not verified"))
                     .arg(text::fromPath(output.path));
    }
    lines << text::coreText(checkpoint.reason) << hostTip(node);
    lines.removeAll(QString());
    return text::toolTip(lines.join(QLatin1Char('\n')));
}

QVariant NavigatorModel::roleData(const Node& node, int role) const {
    if (role == DimTextRole) {
        return text::count(node.count);
    }
    if (role == Qt::ToolTipRole) {
        return text::toolTip(tr("%Ln tensors", nullptr, static_cast<int>(node.count)) +
                             QStringLiteral(" · ") + text::exactBytes(node.bytes));
    }
    return {};
}

} // namespace cairn::ui
