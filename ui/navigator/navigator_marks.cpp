// SPDX-License-Identifier: GPL-3.0-or-later
// The marked runs of the navigator: check boxes, the key X, selections of several runs.
#include "ui/navigator/navigator.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"

#include <QItemSelectionModel>
#include <QTreeView>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace cairn::ui {
namespace {

using Paths = std::vector<std::filesystem::path>;

/// The runs among these rows, from the top down.
Paths runsOf(const NavigatorModel& model, QModelIndexList rows) {
    std::ranges::sort(rows, {}, [](const QModelIndex& index) {
        const QModelIndex root = index.parent();
        return root.isValid() ? std::pair(root.row(), index.row()) : std::pair(index.row(), -1);
    });
    Paths runs;
    for (const QModelIndex& index : rows) {
        if (index.data(NavigatorModel::RunMarkRole).isValid()) {
            runs.push_back(model.runAt(index)->path);
        }
    }
    return runs;
}

/// What is marked now, in words; empty: the same runs are.
QString changeOf(const RunMarks& before, const RunMarks& now, const NavigatorModel& model) {
    Paths changed = now.differing(before);
    std::erase_if(changed, [&](const std::filesystem::path& run) { // only its letter
        return now.contains(run) && before.contains(run);
    });
    if (changed.empty()) {
        return {};
    }
    if (changed.size() > 1) {
        return Navigator::tr("%Ln runs marked", nullptr, static_cast<int>(now.count()));
    }
    const auto run = model.runAt(model.findRun(changed.front()));
    const QString name = run ? run->name : text::fromPath(changed.front().filename());
    return now.contains(changed.front()) ? Navigator::tr("%1 marked").arg(name)
                                         : Navigator::tr("%1 no longer marked").arg(name);
}

} // namespace

void Navigator::toggleMark() {
    Paths runs = runsOf(*m_model, m_view->selectionModel()->selectedRows());
    const auto current = m_model->runAt(m_view->currentIndex());
    if (runs.size() < 2) {
        runs.clear();
        if (!current) {
            return;
        }
        runs.push_back(current->path);
    }
    RunMarks marks = m_model->marks();
    const bool all =
        std::ranges::all_of(runs, [&](const auto& run) { return marks.contains(run); });
    for (const std::filesystem::path& run : runs) {
        all ? marks.remove(run) : marks.add(run);
    }
    applyMarks(marks, true);
}

void Navigator::setMarked(const RunGroupPaths& groups, bool marked) {
    RunMarks marks = m_model->marks();
    for (const Paths& runs : groups) {
        if (marked) {
            marks.addTogether(runs);
            continue;
        }
        for (const std::filesystem::path& run : runs) {
            marks.remove(run);
        }
    }
    applyMarks(marks, false);
}

void Navigator::setMarks(const Paths& runs) {
    RunMarks marks;
    for (const std::filesystem::path& run : runs) {
        marks.add(run);
    }
    applyMarks(marks, false);
}

void Navigator::clearMarks() {
    applyMarks({}, false);
}

void Navigator::applyMarks(const RunMarks& marks, bool compares) {
    const RunMarks before = m_model->marks();
    m_model->setMarks(marks);
    ui::announce(this, changeOf(before, marks, *m_model));
    Q_EMIT marksChanged();
    if (compares && before.count() < 2) {
        if (const auto both = marked(3); both.size() == 2) {
            Q_EMIT compareRequested(both.front(), both.back());
        }
    }
}

void Navigator::markSelected(const QItemSelection& selected, const QItemSelection& deselected) {
    if (m_quiet) {
        return;
    }
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    const bool averages = std::ranges::any_of(rows, [this](const QModelIndex& index) {
        return m_model->kindOf(index) == NavigatorModel::Kind::Checkpoint;
    });
    const Paths runs = runsOf(*m_model, rows);
    const bool shrinks = selected.isEmpty() && !runs.empty();
    if (averages || (runs.size() < 2 && !shrinks)) {
        return;
    }
    RunMarks marks = m_model->marks();
    bool changed = false;
    for (const std::filesystem::path& run : runsOf(*m_model, deselected.indexes())) {
        changed = marks.remove(run) || changed;
    }
    for (std::size_t i = 0; !shrinks && i < runs.size(); ++i) {
        changed = marks.add(runs[i]) || changed;
    }
    if (changed) {
        applyMarks(marks, true);
    }
}

std::vector<std::filesystem::path> Navigator::selectedRuns() const {
    Paths runs;
    std::set<std::string> known;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        std::filesystem::path run = m_model->runPathAt(index);
        if (!run.empty() && known.insert(run.native()).second) {
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

void Navigator::compareMarked() {
    const std::vector<RunPlace> both = marked(2);
    const auto current = m_model->runAt(m_view->currentIndex());
    const Paths selected = selectedRuns();
    if (selected.size() >= 2) { // what is selected is meant, whatever was marked before
        setMarks(selected);
        if (const std::vector<RunPlace> chosen = marked(2); chosen.size() == 2) {
            Q_EMIT compareRequested(chosen[0], chosen[1]);
        }
    } else if (both.size() >= 2) {
        Q_EMIT compareRequested(both[0], both[1]);
    } else if (both.size() == 1 && current && current->path != both.front().path) {
        toggleMark();
    }
}

std::vector<RunPlace> Navigator::marked(std::size_t most) const {
    std::vector<RunPlace> places;
    for (const std::filesystem::path& path : m_model->marks().paths()) {
        if (places.size() >= most) {
            break;
        }
        if (auto place = m_model->runAt(m_model->findRun(path))) {
            place->mark = m_model->marks().slotOf(path);
            places.push_back(std::move(*place));
        }
    }
    return places;
}

ExperimentPtr Navigator::listing(const std::filesystem::path& experiment) const {
    const auto known = std::ranges::find_if(
        m_loaders, [&](const auto& loader) { return loader->path() == experiment; });
    return known != m_loaders.end() ? (*known)->last() : nullptr;
}

} // namespace cairn::ui
