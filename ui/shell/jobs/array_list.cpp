// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/jobs/array_list.h"

#include "ui/pages/consolidate/command_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kAgainMs = 5000;
constexpr std::size_t kMostFailures = 3; ///< that are listed one by one

QString outputOf(const Submission& submission) {
    const auto& items = submission.job.items;
    const QString first =
        items.empty() ? QString() : text::fromPath(items.front().output.filename());
    return items.size() < 2
               ? first
               : ArrayList::tr("%1 and %Ln more", nullptr, static_cast<int>(items.size()) - 1)
                     .arg(first);
}

QString titleOf(const Submission& submission) {
    const QString scheduler = submission.scheduler == Scheduler::Slurm
                                  ? QStringLiteral("Slurm")
                                  : QStringLiteral("Kubernetes");
    return ArrayList::tr("%1 %2: %3")
        .arg(scheduler, text::fromCore(submission.id), outputOf(submission));
}

theme::Tone toneOf(const ArrayStatus& status) {
    return status.hasFailed()                                       ? theme::Tone::Broken
           : status.published == status.submission.job.items.size() ? theme::Tone::Good
                                                                    : theme::Tone::Plain;
}

/// "2 tasks running · 3 waiting · 4.1 GB of 20 GB · 0 of 1 outputs published"
QString figuresOf(const ArrayStatus& status) {
    QStringList parts;
    const auto add = [&](TaskState state, const QString& words) {
        if (status.count(state) > 0) {
            parts << words.arg(text::count(status.count(state)));
        }
    };
    add(TaskState::Running, ArrayList::tr("%1 running"));
    add(TaskState::Waiting, ArrayList::tr("%1 waiting"));
    add(TaskState::Failed, ArrayList::tr("%1 failed"));
    add(TaskState::Cancelled, ArrayList::tr("%1 cancelled"));
    add(TaskState::Unknown, ArrayList::tr("%1 unknown"));
    if (status.bytes() > 0) {
        parts << ArrayList::tr("%1 of %2")
                     .arg(text::bytes(status.bytesDone()), text::bytes(status.bytes()));
    }
    parts << ArrayList::tr("%1 of %Ln outputs published", nullptr,
                           static_cast<int>(status.submission.job.items.size()))
                 .arg(text::count(status.published));
    return parts.join(QStringLiteral(" · "));
}

/// "task 3: OUT_OF_MEMORY, /logs/3.log"
QStringList failuresOf(const ArrayStatus& status) {
    QStringList lines;
    const auto add = [&](const QString& name, const ReportedTask& task,
                         const std::filesystem::path& log) {
        if (task.state == TaskState::Failed) {
            QStringList parts{text::fromCore(task.word), text::fromCore(task.reason),
                              text::fromPath(log)};
            parts.removeAll(QString());
            lines << ArrayList::tr("%1: %2").arg(name, parts.join(QStringLiteral(", ")));
        }
    };
    for (const TaskStatus& each : status.tasks) {
        add(ArrayList::tr("task %1").arg(text::count(each.task)), each.reported, each.log);
    }
    if (status.last) {
        add(ArrayList::tr("last step"), *status.last, status.lastLog);
    }
    const auto more = lines.size() - static_cast<qsizetype>(kMostFailures);
    if (more > 0) {
        lines.resize(static_cast<qsizetype>(kMostFailures));
        lines << ArrayList::tr("and %Ln more", nullptr, static_cast<int>(more));
    }
    return lines;
}

bool isSame(const Submission& left, const Submission& right) {
    return left.scheduler == right.scheduler && left.options == right.options && // of a cluster
           left.id == right.id && left.began == right.began;
}

TextLabel* wrapped(const QString& text, theme::Tone tone) {
    auto* label = new TextLabel(text, tone);
    label->setWordWrap(true);
    label->setFont(theme::small(label->font()));
    return label;
}

} // namespace

ArrayList::ArrayList(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this)) {
    setAccessibleName(tr("Arrays on schedulers"));
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(theme::kGrid + 2);
    m_again.setSingleShot(true);
    m_again.setInterval(kAgainMs);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (isVisible()) {
            readAgain(m_ended);
        }
    });
    hide();
}

void ArrayList::read() {
    readAgain({});
}

void ArrayList::readAgain(std::vector<Shown> ended) {
    m_again.stop();
    using Found = std::vector<Shown>;
    m_reading.start(
        [ended = std::move(ended)](const CancelToken& cancel) -> Result<Found> {
            Found found;
            std::vector<Submission> all = SubmissionRegistry().list();
            std::ranges::reverse(all);
            all.resize(std::min(all.size(), kShown));
            for (Submission& each : all) {
                CAIRN_CHECK(cancel.check());
                const auto known = std::ranges::find_if(
                    ended, [&each](const Shown& other) { return isSame(other.submission, each); });
                if (known != ended.end()) {
                    found.push_back(*known);
                    continue;
                }
                auto status = arrayStatus(each, cancel);
                found.push_back({std::move(each), {}, {}});
                if (status) {
                    found.back().status = std::move(*status);
                } else {
                    found.back().error = status.error();
                }
            }
            return found;
        },
        [this](const Result<Found>& found) {
            if (found) {
                show(*found);
            } else {
                m_again.start();
            }
        });
}

/// New rows; the button with the focus is the same one, made anew.
void ArrayList::show(const std::vector<Shown>& arrays) {
    const QWidget* focus = focusWidget();
    const QString focused = focus != nullptr && focus->hasFocus() ? focus->objectName() : QString();
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    if (!arrays.empty()) {
        m_rows->addWidget(captionLabel(tr("On schedulers")));
    }
    for (const Shown& array : arrays) {
        m_rows->addWidget(row(array));
    }
    setVisible(!arrays.empty());
    Q_EMIT rowsChanged();
    for (Button* each : focused.isEmpty() ? QList<Button*>() : findChildren<Button*>(focused)) {
        if (!each->isHidden() && each->isVisible()) {
            each->setFocus(Qt::OtherFocusReason);
        }
    }
    m_ended.clear();
    std::ranges::copy_if(arrays, std::back_inserter(m_ended), &Shown::hasEnded);
    if (m_ended.size() < arrays.size()) {
        m_again.start();
    }
}

QWidget* ArrayList::row(const Shown& array) {
    auto* row = new QWidget;
    auto* column = new QVBoxLayout(row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kGrid / 2);
    auto* head = new QHBoxLayout;
    auto* title = new TextLabel(titleOf(array.submission));
    title->setElideMiddle(true);
    head->addWidget(title, 1);
    row->setAccessibleName(title->text());
    column->addLayout(head);
    if (array.status) {
        const ArrayStatus& status = *array.status;
        const std::size_t tasks = status.tasks.size();
        head->addWidget(new TextLabel(tr("%1 of %Ln tasks done", nullptr, static_cast<int>(tasks))
                                          .arg(text::count(status.count(TaskState::Done))),
                                      toneOf(status) == theme::Tone::Plain ? theme::Tone::Dim
                                                                           : toneOf(status)));
        auto* bar = new ByteProgress;
        const auto all = static_cast<double>(std::max<std::uint64_t>(status.bytes(), 1));
        bar->setShares(static_cast<double>(status.bytesDone()) / all, 0,
                       status.isActive() ? theme::Tone::Accent : toneOf(status));
        column->addWidget(bar);
        column->addWidget(wrapped(figuresOf(status), theme::Tone::Dim));
        for (const QString& line : failuresOf(status)) {
            column->addWidget(wrapped(line, theme::Tone::Broken));
        }
        row->setAccessibleDescription(figuresOf(status));
    } else {
        const text::ErrorWords words = text::describe(*array.error);
        column->addWidget(
            wrapped(words.title + QLatin1Char('\n') + words.detail, theme::Tone::Attention));
    }
    if (m_refused && m_refused->first == array.submission.id) {
        column->addWidget(wrapped(text::describe(m_refused->second).title, theme::Tone::Broken));
    }
    column->addWidget(buttons(array));
    return row;
}

QWidget* ArrayList::buttons(const Shown& array) {
    auto* buttons = new QWidget;
    auto* line = new QHBoxLayout(buttons);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme::kGrid);
    line->addStretch(1);
    const auto add = [&](const QString& label, const std::function<void()>& run) {
        auto* button = new Button(label);
        button->setObjectName(text::fromCore(array.submission.id) + QLatin1Char(' ') + label);
        connect(button, &QPushButton::clicked, this, run);
        line->addWidget(button);
    };
    if (array.status && array.status->isActive()) {
        add(tr("Cancel Array"), [this, submission = array.submission] { cancel(submission); });
    }
    if (array.status && array.status->published > 0) {
        add(tr("Open Folder"), [this, output = array.submission.job.items.front().output] {
            Q_EMIT openFolderRequested(output);
        });
    }
    add(tr("Copy Command"), [this, id = array.submission.id] {
        QGuiApplication::clipboard()->setText(commandText({"job", "status", id}));
        Q_EMIT copied(tr("Command copied to the clipboard"));
    });
    return buttons;
}

/// What is written is kept, and submitting the job again continues it.
void ArrayList::cancel(const Submission& submission) {
    m_refused.reset();
    m_cancelling.start(
        [submission](const CancelToken& cancel) -> Result<bool> {
            CAIRN_CHECK(cancelArray(submission, cancel));
            return true;
        },
        [this, id = submission.id](const Result<bool>& done) {
            if (!done) {
                m_refused = {id, done.error()};
            }
            read();
        });
}

} // namespace cairn::ui
