// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>

namespace cairn::ui {

/// Shows a file or folder in the desktop's file manager, selected in its folder:
/// org.freedesktop.FileManager1 over D-Bus, else the folder through the desktop's own opener. Does
/// not block. `failed` is called if there is neither.
void showInFileManager(const std::filesystem::path& path, const std::function<void()>& failed);

} // namespace cairn::ui
