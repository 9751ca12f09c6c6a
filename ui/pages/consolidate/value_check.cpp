// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/value_check.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {
namespace {

/// Whether they are the same files with the same content: one may have been opened again.
bool isSame(const CheckpointPtr& a, const CheckpointPtr& b) {
    return a->path() == b->path() &&
           std::ranges::equal(a->files(), b->files(), {}, &CheckpointFile::identity,
                              &CheckpointFile::identity);
}

} // namespace

ValueCheck::ValueCheck(QObject* parent) : QObject(parent) {}

void ValueCheck::setCheckpoint(const CheckpointPtr& checkpoint) {
    if (checkpoint != m_checkpoint) { // refreshed ones are new
        m_checkpoint = checkpoint;
        m_read.clear();
        if (checkpoint != nullptr) {
            m_read.push_back(checkpoint);
        }
        reset();
    }
}

void ValueCheck::setRead(std::vector<CheckpointPtr> read) {
    if (!std::ranges::equal(read, m_read, isSame)) {
        m_read = std::move(read);
        reset();
    }
}

void ValueCheck::reset() {
    m_runner.cancel();
    m_reports.reset();
    m_found.reset();
    Q_EMIT changed();
}

void ValueCheck::setFound(Error fault) {
    m_found = Notice{Severity::Error, std::move(fault)};
    Q_EMIT changed();
}

void ValueCheck::check() {
    if (m_read.empty() || m_runner.isRunning()) {
        return;
    }
    m_done = std::make_shared<std::atomic<std::uint64_t>>(0);
    m_total = 0;
    for (const CheckpointPtr& each : m_read) {
        m_total += healthCheckBytes(*each);
    }
    using Reports = std::vector<HealthReport>;
    m_runner.start(
        [read = m_read, done = m_done](const CancelToken& cancel) -> Result<Reports> {
            HealthOptions options;
            options.cancel = cancel;
            options.progress = done.get();
            Reports reports;
            for (const CheckpointPtr& each : read) {
                CAIRN_TRY(reports.emplace_back(), checkHealth(*each, options));
            }
            return reports;
        },
        [this](Result<Reports> reports) {
            m_reports = reports ? std::optional(std::move(*reports)) : std::nullopt;
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

void ValueCheck::stop() {
    m_runner.cancel();
    Q_EMIT changed();
}

double ValueCheck::fraction() const {
    return m_done == nullptr || m_total == 0
               ? 0
               : std::min(1.0, static_cast<double>(m_done->load()) / static_cast<double>(m_total));
}

std::uint64_t ValueCheck::tensorsRead() const {
    std::uint64_t tensors = 0;
    for (const HealthReport& each : m_reports.value_or(std::vector<HealthReport>())) {
        tensors += each.tensorsRead;
    }
    return tensors;
}

const Notice* ValueCheck::fault() const {
    if (m_reports) {
        for (const HealthReport& each : *m_reports) {
            if (each.failed() && !each.findings.empty()) {
                return &each.findings.front();
            }
        }
    }
    return m_found ? &*m_found : nullptr;
}

} // namespace cairn::ui
