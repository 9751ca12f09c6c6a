// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/file_ops.h"
#include "core/jobs/queue/job_queue.h"
#include "ui/navigator/navigator.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshots/screenshots.h"

#include <QDir>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <filesystem>
#include <memory>

namespace cairn::ui::test {

inline constexpr int kTimeoutMs = 30'000; ///< ms; the machine may be busy

/// A window with its own settings and a writable copy of the sample experiment.
class WindowFixture {
public:
    WindowFixture()
        : m_settings(m_folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat) {
        std::filesystem::copy(CAIRN_SAMPLE_FOLDER, experiment(),
                              std::filesystem::copy_options::recursive);
        services.jobs = &m_jobs;
        services.fileOps = &m_fileOps;
        qputenv("XDG_STATE_HOME", (m_folder.path() + QStringLiteral("/state")).toLocal8Bit());
        services.version = QStringLiteral("test");
        window = std::make_unique<MainWindow>(services, m_settings);
        window->QWidget::show();
    }

    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    std::filesystem::path experiment() const { return folder() / "experiment"; }
    QSettings& settings() { return m_settings; }

    /// Lists the experiment and shows one of its checkpoints.
    bool open(const std::filesystem::path& below) {
        window->openPaths({experiment()});
        if (!waitUntil([&] { return window->isSettled() && window->checkpoint(); }, kTimeoutMs)) {
            return false;
        }
        choose(below);
        return waitUntil(
            [&] {
                return window->isSettled() && window->checkpoint() &&
                       window->checkpoint()->path().filename() == below.filename();
            },
            kTimeoutMs);
    }
    void choose(const std::filesystem::path& below) {
        Navigator* navigator = window->navigator();
        navigator->view()->setCurrentIndex(navigator->model()->find(experiment() / below));
    }

private:
    QTemporaryDir m_folder;
    QSettings m_settings;
    RealFileOps m_fileOps;
    JobQueue m_jobs;

public:
    Services services;
    std::unique_ptr<MainWindow> window; ///< declared last: destroyed before the queue that it uses
};

} // namespace cairn::ui::test
