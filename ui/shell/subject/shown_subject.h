// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/navigator/run_place.h"
#include "ui/shell/subject/checkpoint_opener.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <optional>

namespace cairn {
struct Experiment;
}

namespace cairn::ui {

class Deployment;
class HistoryFollower;
class WindowParts;

/// What the window shows: the checkpoint, run or experiment that was chosen in the navigator. Opens
/// a chosen checkpoint and passes the subject to the pages, the inspector and the planner.
class ShownSubject : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    ShownSubject(WindowParts& parts, Deployment& deployment, HistoryFollower& follower);

    /// Null: none is open.
    const CheckpointPtr& checkpoint() const { return m_checkpoint; }
    const CheckpointSumsPtr& sums() const { return m_sums; } ///< of the last opened checkpoint
    /// As the navigator names the checkpoint, run or experiment; empty: nothing is shown.
    const std::filesystem::path& path() const { return m_path; }
    /// The same, of a checkpoint only.
    std::filesystem::path checkpointPath() const;
    /// The shown run, or that of the shown checkpoint, if it is listed.
    std::optional<RunPlace> run() const;
    /// A checkpoint is open, and the start page does not cover it.
    bool isCheckpointVisible() const;
    /// Such a checkpoint, or the best one of the shown run, which is then planned for.
    bool isDeployable() const;
    /// The name of the latter; empty: no run is shown, or none of its checkpoints is the best.
    QString bestName() const;
    bool isOpening() const { return m_opener.isOpening() || m_bestOpener.isOpening(); }
    QString title() const; ///< of the window

    /// Opens a checkpoint; the pages show it when its index was read.
    void choose(const std::filesystem::path& checkpoint);
    /// Selects a checkpoint in the navigator, which chooses it.
    void goTo(const std::filesystem::path& checkpoint);
    /// Nothing is shown any more.
    void leave();
    /// Lists and opens everything again: files may have changed. `otherwise` is opened if no
    /// checkpoint is shown.
    void reload(const std::filesystem::path& otherwise = {});
    /// The pages of a run follow the selected one, or that of the shown checkpoint.
    void showRun();

Q_SIGNALS:
    /// The shown checkpoint does not exist any more, or exists again. The pages keep what was read.
    void goneChanged(const std::filesystem::path& checkpoint, bool gone);
    /// Another subject is shown, completely.
    void shown();
    void left();
    /// The pages have the shown run; its marks or its listing may have changed.
    void runShown();
    void failed(const std::filesystem::path& checkpoint, const cairn::Error& error);

private:
    void chooseRun(const RunPlace& run);
    void chooseExperiment(const Experiment& experiment);
    void showOpened(const std::filesystem::path& path, const CheckpointPtr& checkpoint,
                    const CheckpointSumsPtr& sums);
    void planBest(const RunPlace& run);
    void checkPresence();
    void forgetGone();
    static std::filesystem::path runFolderOf(const std::filesystem::path& checkpoint);

    WindowParts& m_parts;
    Deployment& m_deployment;
    HistoryFollower& m_follower;
    CheckpointOpener m_opener;
    CheckpointOpener m_bestOpener;
    std::filesystem::path m_best; ///< best checkpoint of the shown run; empty: there is none
    bool m_isBestPlanned = false;
    CheckpointPtr m_checkpoint;
    CheckpointSumsPtr m_sums;
    std::filesystem::path m_path;
    bool m_isGone = false; ///< the shown checkpoint does not exist any more
    AsyncRunner m_presence;
    QTimer m_slow; ///< delays the notice "Reading…"
};

} // namespace cairn::ui
