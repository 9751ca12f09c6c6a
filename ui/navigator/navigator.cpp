// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/navigator.h"

#include "ui/navigator/navigator_delegate.h"
#include "ui/widgets/card.h"
#include "ui/widgets/quiet_views.h"

#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {

Navigator::Navigator(QWidget* parent)
    : QWidget(parent), m_model(new NavigatorModel(this)), m_view(new QuietTreeView(this)),
      m_hosts(new HostWatch(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2 * theme::kGrid - 2, 0, 0);
    layout->setSpacing(theme::kGrid);
    auto* head = captionLabel(tr("Experiments"), this);
    head->setContentsMargins(theme::kGrid + 4, 0, theme::kGrid + 4, 0);
    layout->addWidget(head);
    layout->addWidget(m_view, 1);
    m_view->setModel(m_model);
    m_view->setItemDelegate(new NavigatorDelegate(m_view));
    m_view->setHeaderHidden(true);
    m_view->setUniformRowHeights(true);
    m_view->setIndentation(2 * theme::kGrid);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection); // several are averaged
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAccessibleName(tr("Experiments, runs and checkpoints"));
    setFocusProxy(m_view);
    m_view->setDragEnabled(true);
    m_view->setAcceptDrops(true);
    m_view->setDropIndicatorShown(true);
    m_view->setDragDropOverwriteMode(true); // drops on rows, not between them
    m_view->setDefaultDropAction(Qt::CopyAction);
    m_view->installEventFilter(this);

    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &Navigator::announce);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &Navigator::selectionChanged);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &Navigator::markSelected);
    connect(m_model, &NavigatorModel::markEdited, this,
            [this](const std::filesystem::path& run, bool marked) { setMarked({{run}}, marked); });
    connect(m_model, &NavigatorModel::runsDropped, this,
            [this](const RunPlace& dragged, const RunPlace& target) {
                setMarks({dragged.path, target.path});
                Q_EMIT compareRequested(dragged, target);
            });
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, &Navigator::remember);
    connect(m_model, &QAbstractItemModel::modelReset, this, &Navigator::restore);
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &Navigator::restoreBelow);
    for (const auto changed : {&QTreeView::expanded, &QTreeView::collapsed}) {
        connect(m_view, changed, this, &Navigator::keptChanged);
    }
    connect(this, &Navigator::marksChanged, this, &Navigator::keptChanged);
    connect(m_hosts, &HostWatch::changed, m_model, &NavigatorModel::updateHost);
    connect(m_hosts, &HostWatch::changed, this, &Navigator::hostChanged);
}

Navigator::~Navigator() = default;

void Navigator::open(const std::filesystem::path& path, bool choose,
                     const std::filesystem::path& wanted) {
    if (choose) {
        m_wanted = wanted;
    }
    const auto known =
        std::ranges::find_if(m_loaders, [&](const auto& loader) { return loader->path() == path; });
    ExperimentLoader* loader = nullptr;
    if (known != m_loaders.end()) {
        loader = known->get();
    } else {
        m_loaders.push_back(std::make_unique<ExperimentLoader>(path));
        loader = m_loaders.back().get();
        connectLoader(*loader);
        m_model->addPending(path);
    }
    if (choose && std::ranges::find(m_toChoose, path) == m_toChoose.end()) {
        m_toChoose.push_back(path);
    }
    loader->load();
    Q_EMIT loadingChanged();
}

void Navigator::connectLoader(ExperimentLoader& loader) {
    const std::filesystem::path path = loader.path();
    connect(&loader, &ExperimentLoader::listed, this,
            [this, path, from = &loader](const Experiment& experiment) {
                m_model->setExperiment(from->takeRows());
                if (std::erase(m_toChoose, path) > 0) {
                    chooseFirst(experiment);
                }
                restoreMarks(experiment);
                Q_EMIT experimentListed(experiment);
            });
    connect(&loader, &ExperimentLoader::examined, this,
            [this, from = &loader](const Experiment& experiment) {
                m_model->setExperiment(from->takeRows());
                Q_EMIT experimentExamined(experiment);
            });
    connect(&loader, &ExperimentLoader::finished, this, [this, path] {
        forgetGone(path);
        Q_EMIT loadingChanged();
    });
    connect(&loader, &ExperimentLoader::unreachable, this, &Navigator::loadingChanged);
    connect(&loader, &ExperimentLoader::failed, this, [this, path](const Error& error) {
        m_model->removeExperiment(path);
        std::erase_if(m_loaders, [&](auto& other) {
            if (other->path() != path) {
                return false;
            }
            other.release()->deleteLater(); // it is still emitting
            return true;
        });
        std::erase(m_toChoose, path);
        Q_EMIT loadingChanged();
        Q_EMIT experimentFailed(path, error);
    });
}

void Navigator::chooseFirst(const Experiment& experiment) {
    QModelIndex choice = m_model->findPath(std::exchange(m_wanted, {}));
    choice = choice.isValid() ? choice : m_model->firstChoice(experiment.path);
    for (QModelIndex parent = choice.parent(); parent.isValid(); parent = parent.parent()) {
        m_view->expand(parent);
    }
    const bool already = choice.isValid() && m_view->currentIndex() == choice;
    m_view->setCurrentIndex(choice);
    m_view->scrollTo(choice);
    if (already) { // a view that gets the focus makes its first row the current one
        announce(choice);
    }
}

void Navigator::refresh() {
    for (const auto& loader : m_loaders) {
        loader->load();
    }
    Q_EMIT loadingChanged();
}

void Navigator::closeCurrent() {
    const std::filesystem::path path = currentExperiment();
    std::erase_if(m_loaders, [&](const auto& loader) { return loader->path() == path; });
    std::erase(m_toChoose, path);
    m_model->removeExperiment(path);
    Q_EMIT loadingChanged();
}

bool Navigator::isEmpty() const {
    return m_model->isEmpty();
}

bool Navigator::isLoading() const {
    return std::ranges::any_of(m_loaders, [](const auto& loader) { return loader->isLoading(); });
}

bool Navigator::isLoading(const std::filesystem::path& experiment) const {
    return std::ranges::any_of(m_loaders, [&](const auto& loader) {
        return loader->path() == experiment && loader->isLoading();
    });
}

bool Navigator::select(const std::filesystem::path& checkpoint) {
    const QModelIndex index = m_model->find(checkpoint);
    if (!index.isValid()) {
        return false;
    }
    const QScopedValueRollback quiet(m_quiet, true);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
    return true;
}

std::vector<std::filesystem::path> Navigator::selectedCheckpoints() const {
    std::vector<std::filesystem::path> paths;
    for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
        if (m_model->kindOf(index) == NavigatorModel::Kind::Checkpoint) {
            paths.push_back(m_model->checkpointAt(index)->path);
        }
    }
    if (paths.empty()) {
        return paths;
    }
    const std::vector<std::filesystem::path> order = m_model->neighbours(paths.front());
    std::ranges::stable_sort(paths, {}, [&order](const std::filesystem::path& path) {
        return std::ranges::find(order, path) - order.begin();
    });
    return paths;
}

void Navigator::step(int rows) {
    const ScannedCheckpoint* now = m_model->checkpointAt(m_view->currentIndex());
    const std::vector<std::filesystem::path> order =
        now != nullptr ? m_model->neighbours(now->path) : std::vector<std::filesystem::path>();
    const auto at = now != nullptr ? std::ranges::find(order, now->path) : order.end();
    const auto place = at - order.begin() + rows;
    if (at == order.end() || place < 0 || place >= static_cast<std::ptrdiff_t>(order.size())) {
        return;
    }
    const QModelIndex target = m_model->find(order[static_cast<std::size_t>(place)]);
    m_view->setCurrentIndex(target);
    m_view->scrollTo(target);
}

void Navigator::setOpened(const std::filesystem::path& path, const CheckpointSums& sums) {
    m_model->setOpened(path, sums);
}

const ScannedCheckpoint* Navigator::current() const {
    return m_model->checkpointAt(m_view->currentIndex());
}

std::filesystem::path Navigator::currentPath() const {
    return m_model->pathOf(m_view->currentIndex());
}

std::filesystem::path Navigator::currentExperiment() const {
    QModelIndex index = m_view->currentIndex();
    while (index.parent().isValid()) {
        index = index.parent();
    }
    if (!index.isValid() && !m_loaders.empty()) {
        return m_loaders.front()->path();
    }
    return m_model->pathOf(index);
}

bool Navigator::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_X && key->modifiers() == Qt::NoModifier) {
            toggleMark();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Navigator::announceAgain() {
    announce(m_view->currentIndex());
}

void Navigator::announce(const QModelIndex& current) {
    if (m_quiet) {
        return;
    }
    Q_EMIT selectionChanged();
    if (!current.isValid()) {
        return;
    }
    switch (m_model->kindOf(current)) {
    case NavigatorModel::Kind::Checkpoint:
        Q_EMIT checkpointChosen(m_model->checkpointAt(current)->path);
        break;
    case NavigatorModel::Kind::Role:
        Q_EMIT roleChosen(m_model->checkpointAt(current)->path,
                          current.data(NavigatorModel::FilterRole).toString());
        break;
    case NavigatorModel::Kind::Experiment:
    case NavigatorModel::Kind::Run:
    case NavigatorModel::Kind::Older:
    case NavigatorModel::Kind::Exports:
        if (const auto run = m_model->runAt(current)) {
            Q_EMIT runChosen(*run);
        } else if (const Experiment* experiment = m_model->experimentAt(current)) {
            Q_EMIT experimentChosen(*experiment);
        }
        break;
    }
}

} // namespace cairn::ui
