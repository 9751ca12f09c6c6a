// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/unfinished_jobs.h"

#include "ui/pages/consolidate/job_controller.h"
#include "ui/text/plain_text.h"

#include <algorithm>

namespace cairn::ui {
namespace {

/// Parts run by a cluster are left to it; the window resumes complete jobs only.
std::vector<ListedJob> unfinished() {
    std::vector<ListedJob> jobs = listedJobs();
    std::erase_if(jobs,
                  [](const ListedJob& each) { return each.job.running || !each.job.part.whole(); });
    return jobs;
}

} // namespace

UnfinishedJobs::UnfinishedJobs(JobController& jobController, FileOps& fileOps, QObject* parent)
    : QObject(parent), m_jobController(jobController), m_fileOps(fileOps) {}

void UnfinishedJobs::refresh() {
    m_listing.start(
        [](const CancelToken&) -> Result<std::vector<ListedJob>> { return unfinished(); },
        [this](Result<std::vector<ListedJob>> jobs) {
            m_jobs = jobs ? std::move(*jobs) : std::vector<ListedJob>();
            Q_EMIT changed();
        });
}

std::optional<ListedJob> UnfinishedJobs::take(const std::string& id) {
    const auto found =
        std::ranges::find_if(m_jobs, [&](const ListedJob& each) { return each.job.id == id; });
    if (found == m_jobs.end()) {
        return std::nullopt;
    }
    ListedJob job = std::move(*found);
    m_jobs.erase(found);
    return job;
}

void UnfinishedJobs::resume(const std::string& id) {
    if (const auto taken = take(id)) {
        if (const auto resumed = m_jobController.resume(taken->job); !resumed) {
            Q_EMIT failed(text::describe(resumed.error()));
        }
        Q_EMIT changed();
    }
}

void UnfinishedJobs::putOff(const std::string& id) {
    if (take(id)) {
        Q_EMIT changed();
    }
}

void UnfinishedJobs::remove(const std::string& id) {
    const auto taken = take(id);
    if (!taken) {
        return;
    }
    Q_EMIT changed();
    m_removing.start(
        [job = taken->job, fileOps = &m_fileOps](const CancelToken&) -> Result<int> {
            CAIRN_CHECK(cleanUp(*fileOps, job));
            JobRegistry().removeAll(*fileOps, job.id);
            return 0;
        },
        [this, bytes = taken->leftBytes](const Result<int>& result) {
            if (result) {
                Q_EMIT removed(tr("%1 freed").arg(text::bytes(bytes)));
            } else {
                Q_EMIT failed(text::describe(result.error()));
            }
            refresh();
        });
}

} // namespace cairn::ui
