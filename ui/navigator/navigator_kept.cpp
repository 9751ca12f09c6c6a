// SPDX-License-Identifier: GPL-3.0-or-later
// What the navigator keeps while rows are replaced, and over a restart: expansion, selection,
// scroll position, marks.
#include "ui/navigator/navigator.h"

#include <QTreeView>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

namespace cairn::ui {
namespace {

QString keyOf(const QModelIndex& index) {
    return index.data(NavigatorModel::KeyRole).toString();
}

QStringList sorted(const QSet<QString>& keys) {
    QStringList list(keys.begin(), keys.end());
    list.sort();
    return list;
}

} // namespace

void Navigator::collectExpanded(QSet<QString>& expanded, QSet<QString>& collapsed) const {
    std::vector<QModelIndex> open{QModelIndex()};
    while (!open.empty()) {
        const QModelIndex parent = open.back();
        open.pop_back();
        const int rows = m_model->rowCount(parent);
        for (int row = 0; row < rows; ++row) {
            const QModelIndex index = m_model->index(row, 0, parent);
            if (m_view->isExpanded(index)) {
                expanded.insert(keyOf(index));
                collapsed.remove(keyOf(index));
                open.push_back(index);
            } else if (!parent.isValid() && m_model->rowCount(index) > 0) {
                collapsed.insert(keyOf(index));
            }
        }
    }
}

void Navigator::remember() {
    m_quiet = true;
    const QModelIndex current = m_view->currentIndex();
    m_current = keyOf(current);
    const bool isCheckpoint =
        current.isValid() && m_model->kindOf(current) == NavigatorModel::Kind::Checkpoint;
    m_currentPath = isCheckpoint ? m_model->pathOf(current) : std::filesystem::path();
    m_top = keyOf(m_view->indexAt(QPoint(1, 1)));
    m_expanded.clear();
    collectExpanded(m_expanded, m_collapsed);
}

void Navigator::restore() {
    restoreBelow({});
    restoreCurrent();
}

void Navigator::restoreBelow(const QModelIndex& top) {
    std::vector<QModelIndex> open{top};
    if (top.isValid() && m_toExpand.remove(keyOf(top))) {
        m_view->expand(top);
    }
    while (!open.empty()) {
        const QModelIndex parent = open.back();
        open.pop_back();
        const int rows = m_model->rowCount(parent);
        for (int row = 0; row < rows; ++row) {
            const QModelIndex index = m_model->index(row, 0, parent);
            const QString key = keyOf(index);
            const bool listed = m_model->rowCount(index) > 0;
            const bool wanted =
                parent.isValid() ? m_expanded.contains(key) : !m_collapsed.contains(key);
            if (wanted || (listed && m_toExpand.remove(key))) {
                m_view->expand(index);
                open.push_back(index);
            }
        }
    }
}

void Navigator::restoreCurrent() {
    QModelIndex current = m_model->findKey(m_current);
    if (!current.isValid() && !m_currentPath.empty()) {
        current = m_model->find(m_currentPath); // it moved into or out of the fold
    }
    if (current.isValid()) {
        const QModelIndex parent = current.parent();
        const bool folded = parent.isValid() && m_model->isFold(parent);
        m_view->selectionModel()->setCurrentIndex(current, QItemSelectionModel::ClearAndSelect);
        if (folded) {
            m_view->expand(parent);
        }
    }
    if (const QModelIndex top = m_model->findKey(m_top); top.isValid()) {
        m_view->scrollTo(top, QAbstractItemView::PositionAtTop);
    }
    m_quiet = false;
    if (!current.isValid() && !m_current.isEmpty()) {
        Q_EMIT selectionChanged(); // the selected row was removed
    }
}

Navigator::Kept Navigator::kept() const {
    QSet<QString> expanded = m_toExpand;
    QSet<QString> collapsed = m_collapsed;
    collectExpanded(expanded, collapsed);
    Kept kept{sorted(expanded), sorted(collapsed), {}};
    const RunMarks& marks = m_model->marks();
    for (const std::filesystem::path& run : marks.paths()) {
        kept.marks.emplace_back(run, marks.slotOf(run));
    }
    // Slots of runs that were not listed are of an earlier session: equal ones mean one group only
    // with runs that were marked in it.
    std::set<int> used;
    for (const auto& [run, slot] : kept.marks) {
        used.insert(slot);
    }
    std::map<int, int> slotNow;
    for (const auto& [run, slot] : m_toMark) {
        const auto [at, isNew] = slotNow.emplace(slot, slot);
        const auto restored = m_restored.find(slot);
        if (isNew && restored != m_restored.end() && marks.contains(restored->second)) {
            at->second = marks.slotOf(restored->second);
        } else if (isNew) {
            for (int free = 0; used.contains(at->second); ++free) {
                at->second = free;
            }
        }
        used.insert(at->second);
        kept.marks.emplace_back(run, at->second);
    }
    return kept;
}

void Navigator::setKept(Kept kept) {
    m_collapsed = QSet<QString>(kept.collapsed.begin(), kept.collapsed.end());
    m_toExpand = QSet<QString>(kept.expanded.begin(), kept.expanded.end());
    m_toMark = std::move(kept.marks);
}

void Navigator::forgetGone(const std::filesystem::path& experiment) {
    const QModelIndex root = m_model->findExperiment(experiment);
    if (m_model->experimentAt(root) == nullptr || (m_toExpand.isEmpty() && m_toMark.empty())) {
        return; // not listed, or nothing to forget
    }
    QSet<QString> present;
    std::vector<QModelIndex> open{root};
    while (!open.empty()) {
        const QModelIndex parent = open.back();
        open.pop_back();
        present.insert(keyOf(parent));
        for (int row = 0; row < m_model->rowCount(parent); ++row) {
            open.push_back(m_model->index(row, 0, parent));
        }
    }
    const QString below = keyOf(root) + QLatin1Char('\n');
    m_toExpand.removeIf(
        [&](const QString& key) { return key.startsWith(below) && !present.contains(key); });
    std::erase_if(m_toMark, [&](const auto& mark) {
        return std::ranges::mismatch(experiment, mark.first).in1 == experiment.end();
    });
}

/// Marks the runs of this folder that were marked in the last session.
void Navigator::restoreMarks(const Experiment& experiment) {
    if (m_toMark.empty()) {
        return;
    }
    std::unordered_set<std::string> listed;
    for (const ScannedRun& run : experiment.runs) {
        listed.insert(
            (experiment.isCheckpoint ? experiment.path.parent_path() : run.path).native());
    }
    RunMarks marks = m_model->marks();
    std::map<int, std::vector<std::filesystem::path>> groups;
    std::erase_if(m_toMark, [&](const auto& mark) {
        const auto& [run, slot] = mark;
        if (!listed.contains(run.native())) {
            return false;
        }
        std::vector<std::filesystem::path>& group = groups[slot];
        const auto earlier = m_restored.find(slot); // of another folder
        if (group.empty() && earlier != m_restored.end() && marks.contains(earlier->second)) {
            group.push_back(earlier->second);
        }
        group.push_back(run);
        m_restored.emplace(slot, run);
        return true;
    });
    if (!groups.empty()) {
        marks.restore(groups);
        applyMarks(marks, false);
    }
}

} // namespace cairn::ui
