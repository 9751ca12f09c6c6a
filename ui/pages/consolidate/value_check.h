// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/health.h"
#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>

namespace cairn::ui {

/// Whether the numbers of the shown checkpoint are good: nothing is known until check() has read
/// every byte of it, or a job found bad ones. GUI thread.
class ValueCheck : public QObject {
    Q_OBJECT

public:
    explicit ValueCheck(QObject* parent = nullptr);

    void setCheckpoint(const CheckpointPtr& checkpoint); ///< null: none
    void check();
    void stop();
    void setFound(Error fault); ///< by a job that wrote them
    bool isChecking() const { return m_runner.isRunning(); }
    /// 0 … 1 of the bytes.
    double fraction() const;
    const std::optional<HealthReport>& report() const { return m_report; }
    /// The first finding that says that the weights must not be used; null: none is known.
    const Notice* fault() const;

Q_SIGNALS:
    void changed();

private:
    AsyncRunner m_runner{AsyncRunner::Pool::Long};
    CheckpointPtr m_checkpoint;
    std::shared_ptr<std::atomic<std::uint64_t>> m_done;
    std::uint64_t m_total = 0;
    std::optional<HealthReport> m_report;
    std::optional<Notice> m_found;
};

} // namespace cairn::ui
