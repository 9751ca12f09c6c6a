// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment_scan.h"
#include "ui/bridge/async_runner.h"

#include <QObject>

#include <filesystem>

namespace cairn::ui {

/// Lists one experiment off the GUI thread: first names and sizes in one go, then what each
/// checkpoint's index tells, one after another. load() again starts over; what was under way is
/// dropped.
class ExperimentLoader : public QObject {
    Q_OBJECT

public:
    explicit ExperimentLoader(std::filesystem::path path, QObject* parent = nullptr);

    const std::filesystem::path& path() const { return m_path; }
    void load();
    bool isLoading() const { return m_runner.isRunning(); }

Q_SIGNALS:
    void listed(const cairn::Experiment& experiment);
    void examined(const std::filesystem::path& checkpoint, const cairn::CheckpointFacts& facts);
    void finished();
    void failed(const cairn::Error& error);

private:
    std::filesystem::path m_path;
    AsyncRunner m_runner;
};

} // namespace cairn::ui
