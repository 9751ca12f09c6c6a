// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/value_check.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

ValueCheck::ValueCheck(QObject* parent) : QObject(parent) {}

void ValueCheck::setCheckpoint(const CheckpointPtr& checkpoint) {
    if (checkpoint != m_checkpoint) { // refreshed ones are new
        m_runner.cancel();
        m_checkpoint = checkpoint;
        m_report.reset();
        m_found.reset();
        Q_EMIT changed();
    }
}

void ValueCheck::setFound(Error fault) {
    m_found = Notice{Severity::Error, std::move(fault)};
    Q_EMIT changed();
}

void ValueCheck::check() {
    if (m_checkpoint == nullptr || m_runner.isRunning()) {
        return;
    }
    m_done = std::make_shared<std::atomic<std::uint64_t>>(0);
    m_total = healthCheckBytes(*m_checkpoint);
    m_runner.start(
        [checkpoint = m_checkpoint, done = m_done](const CancelToken& cancel) {
            HealthOptions options;
            options.cancel = cancel;
            options.progress = done.get();
            return checkHealth(*checkpoint, options);
        },
        [this](Result<HealthReport> report) {
            m_report = report ? std::optional(std::move(*report)) : std::nullopt;
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

const Notice* ValueCheck::fault() const {
    return m_report && m_report->failed() && !m_report->findings.empty()
               ? &m_report->findings.front()
           : m_found ? &*m_found
                     : nullptr;
}

} // namespace cairn::ui
