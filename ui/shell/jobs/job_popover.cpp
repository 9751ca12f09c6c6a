// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/job_popover.h"

#include "core/jobs/queue/job_registry.h"
#include "ui/pages/consolidate/job_words.h"
#include "ui/shell/jobs/array_list.h"
#include "ui/shell/jobs/job_row.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QCoreApplication>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kWidth = 460;
constexpr int kMostHeight = 460;

bool isActive(const JobSnapshot& job) {
    return job.state == JobState::Queued || job.state == JobState::Running ||
           job.state == JobState::Paused;
}

} // namespace

JobPopover::JobPopover(JobController& jobController, JobsWatcher& watcher, FileOps& fileOps,
                       QWidget* parent)
    : QFrame(parent, Qt::Popup), m_jobController(jobController), m_watcher(watcher),
      m_fileOps(fileOps), m_arrays(new ArrayList), m_scroll(new QScrollArea),
      m_list(new QVBoxLayout), m_empty(new TextLabel(tr("No job has run yet."), theme::Tone::Dim)),
      m_clear(new Button(tr("Clear History"))) {
    setAccessibleName(tr("Jobs"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid - 2, theme::kGrid / 2,
                              2 * theme::kGrid - 2);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, theme::kGrid + theme::kGrid / 2, 0);
    head->addWidget(captionLabel(tr("Jobs")), 1);
    head->addWidget(m_clear);
    outer->addLayout(head);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    auto* body = new QWidget;
    m_scroll->setWidget(body);
    m_scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, theme::kGrid + theme::kGrid / 2, 0);
    m_list->setSpacing(theme::kGrid + 2);
    column->setSpacing(theme::kGrid + 2);
    column->addWidget(m_arrays);
    column->addLayout(m_list);
    column->addWidget(m_empty);
    column->addStretch(1);
    outer->addWidget(m_scroll, 1);
    connect(m_clear, &QPushButton::clicked, this, &JobPopover::clear);
    connect(m_arrays, &ArrayList::rowsChanged, this, &JobPopover::fit);
    connect(m_arrays, &ArrayList::copied, this, &JobPopover::copied);
    connect(m_arrays, &ArrayList::openFolderRequested, this, [this](const auto& path) {
        hide();
        Q_EMIT openFolderRequested(path);
    });
    connect(&m_watcher, &JobsWatcher::updated, this, [this] {
        if (isVisible()) {
            refresh();
        }
    });
    connect(&m_watcher, &JobsWatcher::ended, this, [this] {
        if (isVisible()) {
            read();
        }
    });
}

bool JobPopover::isSettled() const {
    return !m_reading.isRunning() && !m_clearing.isRunning() && m_arrays->isSettled();
}

void JobPopover::popUp(const QWidget& anchor) {
    const QWidget* window = anchor.window();
    m_shown.clear();
    rebuild();
    fit();
    const int first = window->mapToGlobal(QPoint(theme::kGrid, 0)).x();
    const int last = window->mapToGlobal(QPoint(window->width() - width() - theme::kGrid, 0)).x();
    const QPoint corner = anchor.mapToGlobal(QPoint(anchor.width() - width(), anchor.height()));
    move(std::clamp(corner.x(), std::min(first, last), last), corner.y() + theme::kGrid / 2);
    show();
    setFocus(Qt::PopupFocusReason);
    read();
    m_arrays->read();
}

/// As high as its rows, up to a limit.
void JobPopover::fit() {
    QLayout* rows = m_scroll->widget()->layout();
    rows->activate();
    const int wanted = rows->hasHeightForWidth() ? rows->heightForWidth(kWidth - 3 * theme::kGrid)
                                                 : rows->sizeHint().height();
    m_scroll->setFixedHeight(std::min(wanted, kMostHeight));
    setFixedWidth(kWidth);
    adjustSize();
}

void JobPopover::read() {
    using Found = std::vector<Earlier>;
    m_reading.start(
        [](const CancelToken&) -> Result<Found> {
            Found found;
            for (EndedJob& job : JobRegistry().history().list()) {
                std::error_code error;
                const bool present = std::filesystem::exists(job.output, error);
                found.push_back({std::move(job), present});
            }
            return found;
        },
        [this](Result<Found> found) {
            m_earlier = found ? std::move(*found) : Found();
            rebuild();
            fit();
        });
}

void JobPopover::clear() {
    for (const JobSnapshot& job : m_watcher.jobs()) {
        m_jobController.queue().forget(job.id); // refuses what still runs
    }
    m_watcher.wake();
    m_clearing.start(
        [fileOps = &m_fileOps](const CancelToken&) -> Result<int> {
            JobRegistry().history().clear(*fileOps);
            return 0;
        },
        [this](const Result<int>&) { read(); });
}

/// New rows if a job was added, began, or has ended; otherwise only their figures.
void JobPopover::refresh() {
    std::vector<std::pair<JobId, JobState>> now;
    for (const JobSnapshot& job : m_watcher.jobs()) {
        now.emplace_back(job.id, isActive(job) ? JobState::Running : job.state);
    }
    if (now != m_shown) {
        rebuild();
        fit();
        return;
    }
    for (const JobSnapshot& job : m_watcher.jobs()) {
        if (const auto row = m_rows.find(job.id); row != m_rows.end()) {
            row->second->showJob(job);
        }
    }
}

void JobPopover::rebuild() {
    m_rows.clear();
    m_shown.clear();
    while (QLayoutItem* item = m_list->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const std::vector<JobSnapshot>& jobs = m_watcher.jobs();
    for (const JobSnapshot& job : jobs) {
        m_shown.emplace_back(job.id, isActive(job) ? JobState::Running : job.state);
        if (isActive(job)) {
            auto* row = new JobRow(job.id, m_jobController, m_watcher);
            connect(row, &JobRow::showRequested, this, [this](JobId id) {
                hide();
                Q_EMIT showRequested(id);
            });
            row->showJob(job);
            m_rows[job.id] = row;
            m_list->addWidget(row);
        }
    }
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
        if (!isActive(*job)) {
            addEnded(*job);
        }
    }
    for (const Earlier& earlier : m_earlier) {
        if (!isListed(earlier.job)) {
            addEarlier(earlier);
        }
    }
    for (int i = 0; i < m_list->count(); ++i) {
        m_list->itemAt(i)->widget()->show(); // a hidden row has no height in fit()
    }
    m_empty->setVisible(m_list->isEmpty());
    m_clear->setEnabled(m_list->count() > static_cast<int>(m_rows.size()));
}

/// A job of this window is shown with what the window knows of it.
bool JobPopover::isListed(const EndedJob& job) const {
    return job.process == QCoreApplication::applicationPid() &&
           std::ranges::any_of(m_watcher.jobs(), [&](const JobSnapshot& each) {
               const auto record = m_jobController.record(each.id);
               return !isActive(each) && record && record->output == job.output;
           });
}

void JobPopover::addEnded(const JobSnapshot& job) {
    const auto record = m_jobController.record(job.id);
    Entry entry{endWords(job, record.get()), endTone(job, record.get()), {}};
    if (record && record->report) {
        entry.actions.emplace_back(tr("Open Folder"), [this, output = record->output] {
            Q_EMIT openFolderRequested(output);
        });
    }
    entry.actions.emplace_back(tr("Show"), [this, id = job.id] { Q_EMIT showRequested(id); });
    addEntry(entry);
}

void JobPopover::addEarlier(const Earlier& earlier) {
    Entry entry{endWords(earlier.job), endTone(earlier.job), {}};
    if (earlier.job.outcome == JobOutcome::Done && earlier.present) {
        entry.actions.emplace_back(tr("Open Folder"), [this, output = earlier.job.output] {
            Q_EMIT openFolderRequested(output);
        });
        entry.actions.emplace_back(tr("Show in Cairn"), [this, output = earlier.job.output] {
            Q_EMIT checkpointRequested(output);
        });
    } else if (earlier.job.outcome == JobOutcome::Done) {
        entry.words.detail += QStringLiteral(" · ") + tr("no longer there");
    }
    addEntry(entry);
}

void JobPopover::addEntry(const Entry& entry) {
    auto* row = new QWidget;
    row->setAccessibleName(entry.words.title);
    row->setAccessibleDescription(entry.words.detail);
    auto* layout = new QVBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid / 2);
    if (m_list->count() > 0) {
        layout->addWidget(new Hairline);
        layout->addSpacing(theme::kGrid / 2);
    }
    auto* head = new QHBoxLayout;
    head->setSpacing(theme::kGrid);
    auto* mark = new TextLabel(toneMark(entry.tone), entry.tone);
    mark->setMinimumWidth(2 * theme::kGrid);
    mark->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    head->addWidget(mark, 0, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    auto* title = new TextLabel(entry.words.title);
    title->setWordWrap(true);
    texts->addWidget(title);
    auto* detail = new TextLabel(entry.words.detail, theme::Tone::Dim);
    detail->setWordWrap(true);
    detail->setFont(theme::small(detail->font()));
    texts->addWidget(detail);
    head->addLayout(texts, 1);
    layout->addLayout(head);
    if (!entry.actions.empty()) {
        auto* foot = new QHBoxLayout;
        foot->setSpacing(theme::kGrid);
        foot->addStretch(1);
        for (const auto& [label, run] : entry.actions) {
            auto* button = new Button(label);
            connect(button, &QPushButton::clicked, this, [this, run = run] {
                hide();
                run();
            });
            foot->addWidget(button);
        }
        layout->addLayout(foot);
    }
    m_list->addWidget(row);
}

void JobPopover::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    Q_EMIT closed();
}

void JobPopover::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme::cardGround(palette()));
    painter.setPen(theme::hairline(palette()));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace cairn::ui
