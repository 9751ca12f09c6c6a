// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/jobs/cluster/array_status.h"
#include "ui/bridge/async_runner.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QVBoxLayout;

namespace cairn::ui {

/// The arrays that the user submitted to schedulers, the newest first, as `cairn-cli job status`
/// reports them: read on a worker when read() is called. While the list is visible, those that wait
/// or run, or could not be asked, are asked again every few seconds. Hidden while there are none.
class ArrayList : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kShown = 5; ///< each asks its scheduler

    explicit ArrayList(QWidget* parent = nullptr);
    void read();
    bool isSettled() const { return !m_reading.isRunning() && !m_cancelling.isRunning(); }

Q_SIGNALS:
    void rowsChanged(); ///< other rows, or other heights
    void copied(const QString& what);
    void openFolderRequested(const std::filesystem::path& path);

private:
    struct Shown {
        Submission submission;
        std::optional<ArrayStatus> status; ///< empty: the scheduler could not be asked
        std::optional<Error> error;
        [[nodiscard]] bool hasEnded() const { return status && !status->isActive(); }
    };
    /// `ended`: are not asked again.
    void readAgain(std::vector<Shown> ended);
    void show(const std::vector<Shown>& arrays);
    QWidget* row(const Shown& array);
    QWidget* buttons(const Shown& array);
    void cancel(const Submission& submission);

    AsyncRunner m_reading{AsyncRunner::Pool::Quick};
    AsyncRunner m_cancelling{AsyncRunner::Pool::Quick};
    QTimer m_again{this};
    std::vector<Shown> m_ended; ///< of what is shown
    QVBoxLayout* m_rows;
    std::optional<std::pair<std::string, Error>> m_refused; ///< id, and why it was not cancelled
};

} // namespace cairn::ui
