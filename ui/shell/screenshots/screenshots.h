// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>
#include <functional>
#include <optional>

class QPalette;

namespace cairn::ui {

class MainWindow;

/// A dark palette like a desktop's; only for pictures and tests.
QPalette darkDesktopPalette();

/// Runs the event loop until `ready` or the time is over; false: over.
bool waitUntil(const std::function<bool()>& ready, int milliseconds);

struct ScreenshotChoice {
    QString page = {}; ///< one of pageNames(): this page alone; empty: every page
    /// One checkpoint is consolidated for the picture; it must be a copy in a writable folder.
    bool consolidate = false;
};

/// Writes pictures of the start page and of every page on `experiment`, in light and dark, at one
/// and two device pixels, into `folder`: "summary-light.png", "summary-light@2x.png", … Returns the
/// number of pictures, or nothing with a line on stderr.
std::optional<int> writeScreenshots(MainWindow& window, const std::filesystem::path& experiment,
                                    const QString& folder, const ScreenshotChoice& choice);

} // namespace cairn::ui
