// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/subject/visited_places.h"

#include "ui/navigator/navigator.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/shown_subject.h"

#include <QAction>
#include <QScopedValueRollback>
#include <QTreeView>

namespace cairn::ui {

VisitedPlaces::VisitedPlaces(WindowParts& parts, ShownSubject& subject)
    : m_parts(parts), m_subject(subject) {
    connect(&subject, &ShownSubject::shown, this, &VisitedPlaces::visit);
    connect(parts.workspace, &Workspace::tabChanged, this, &VisitedPlaces::visit);
    connect(&parts, &WindowParts::changed, this, &VisitedPlaces::updateActions);
    connect(parts.actions.back, &QAction::triggered, this, [this] {
        if (const auto place = m_history.back()) {
            goTo(*place);
        }
    });
    connect(parts.actions.forward, &QAction::triggered, this, [this] {
        if (const auto place = m_history.forward()) {
            goTo(*place);
        }
    });
}

void VisitedPlaces::visit() {
    if (!m_subject.path().empty() && !m_going) {
        m_history.visit({m_subject.path(), m_parts.workspace->currentTab()});
    }
}

void VisitedPlaces::goTo(const VisitHistory::Place& place) {
    const QScopedValueRollback going(m_going, true);
    const NavigatorModel& model = *m_parts.navigator->model();
    QModelIndex other; // a run or an experiment
    if (!model.find(place.path).isValid()) {
        other = model.findRun(place.path);
        other = other.isValid() ? other : model.findExperiment(place.path);
    }
    if (other.isValid()) {
        m_parts.navigator->view()->setCurrentIndex(other);
        m_parts.workspace->setCurrentTab(place.tab);
        return;
    }
    m_parts.navigator->select(place.path);
    m_parts.workspace->setCurrentTab(place.tab);
    m_subject.choose(place.path);
}

void VisitedPlaces::updateActions() {
    m_parts.actions.back->setEnabled(m_history.canGoBack());
    m_parts.actions.forward->setEnabled(m_history.canGoForward());
}

} // namespace cairn::ui
