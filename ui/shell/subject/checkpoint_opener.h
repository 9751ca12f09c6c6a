// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"
#include "ui/navigator/checkpoint_sums.h"

#include <QObject>

#include <deque>
#include <filesystem>

namespace cairn::ui {

/// Opens checkpoints (index only) off the GUI thread and keeps the last few, so that going back is
/// instant. The newest request wins.
class CheckpointOpener : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void open(const std::filesystem::path& path);
    void cancel() { m_runner.cancel(); }
    /// After a refresh: the files may have changed.
    void forgetAll() { m_kept.clear(); }
    bool isOpening() const { return m_runner.isRunning(); }

Q_SIGNALS:
    void opened(const std::filesystem::path& path, const cairn::CheckpointPtr& checkpoint,
                const cairn::ui::CheckpointSumsPtr& sums);
    void failed(const std::filesystem::path& path, const cairn::Error& error);

private:
    static constexpr std::size_t kKept = 4;
    struct Opened {
        std::filesystem::path path;
        CheckpointPtr checkpoint;
        CheckpointSumsPtr sums;
    };
    std::deque<Opened> m_kept; ///< newest first
    AsyncRunner m_runner;
};

} // namespace cairn::ui
