// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace cairn::ui {

class MainWindow;

namespace pictures {

class Camera;

/// The Consolidate page with everything that can be chosen, and with checkpoints to be averaged.
bool takeJobs(Camera& camera, MainWindow& window);
/// The summary and the plan of the first incomplete checkpoint, if there is one.
bool takeBroken(Camera& camera, MainWindow& window);
/// The popover of the toolbar, with the job that has just ended.
bool takePopover(Camera& camera, MainWindow& window);
/// The dialog that edits a header, on a file of our own making.
bool takeHeaderEdit(Camera& camera, MainWindow& window, const std::filesystem::path& file);

} // namespace pictures
} // namespace cairn::ui
