// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/health.h"
#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::ui {

/// Whether the numbers that a job reads are good, those of the shown checkpoint or of a base and
/// its adapters: nothing is known until check() has read every byte, or a job found bad ones. GUI
/// thread.
class ValueCheck : public QObject {
    Q_OBJECT

public:
    explicit ValueCheck(QObject* parent = nullptr);

    void setCheckpoint(const CheckpointPtr& checkpoint); ///< the shown one; null: none
    /// What the plan reads. The same files, unchanged, are not checked again.
    void setRead(std::vector<CheckpointPtr> read);
    std::size_t count() const { return m_read.size(); } ///< of the checkpoints that are checked
    void check();
    void stop();
    void setFound(Error fault); ///< by a job that wrote them
    bool isChecking() const { return m_runner.isRunning(); }
    /// 0 … 1 of the bytes.
    double fraction() const;
    /// All of them were read.
    bool isChecked() const { return m_reports.has_value(); }
    std::uint64_t tensorsRead() const;
    /// The first finding that says that the weights must not be used; null: none is known.
    const Notice* fault() const;

Q_SIGNALS:
    void changed();

private:
    AsyncRunner m_runner{AsyncRunner::Pool::Long};
    void reset();

    CheckpointPtr m_checkpoint; ///< the shown one
    std::vector<CheckpointPtr> m_read;
    std::shared_ptr<std::atomic<std::uint64_t>> m_done;
    std::uint64_t m_total = 0;
    std::optional<std::vector<HealthReport>> m_reports;
    std::optional<Notice> m_found;
};

} // namespace cairn::ui
