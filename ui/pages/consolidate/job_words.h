// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/queue/job_history.h"
#include "core/jobs/queue/job_queue.h"
#include "ui/pages/consolidate/job_controller.h"
#include "ui/pages/consolidate/jobs_watcher.h"
#include "ui/text/error_text.h"
#include "ui/theme/theme.h"

#include <QString>

#include <vector>

/// What the page and the popover of the toolbar state about a job.
namespace cairn::ui {

QString phaseWords(const JobSnapshot& job);

/// A step of a job, with its bytes while it runs and after it.
struct JobStep {
    enum class State { Ahead, Running, Done };
    State state = State::Ahead;
    QString text;
};
/// Planned, read and written, verified, and signed or described if the request asks for that. Null:
/// a job without a record.
std::vector<JobStep> jobSteps(const JobSnapshot& job,
                              const JobRecord* record); ///< "writing", "queued, paused"
/// "11.2 GB of 16.1 GB · 1.82 GB/s · 3 s left"; parts that are unknown are left out.
QString progressWords(const JobSnapshot& job, const JobsWatcher::Pace& pace);
/// What a job that did not finish left on the disk.
QString leftoverText(const JobRecord* record);

/// Title and details of a job that has ended; of a failed one the error's. `record` may be null.
text::ErrorWords endWords(const JobSnapshot& job, const JobRecord* record);
theme::Tone endTone(const JobSnapshot& job, const JobRecord* record);

/// Why Undo did not move the output of a job: another one reads or writes it.
text::ErrorWords outputInUseWords(const JobRecord* record);

/// "✓", "!" or "✕".
QString toneMark(theme::Tone tone);

/// Of a job of the history.
text::ErrorWords endWords(const EndedJob& job);
theme::Tone endTone(const EndedJob& job);

} // namespace cairn::ui
