// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace cairn::ui {

class MessageStrip;
class StatusLine;

/// Shows a file or folder in the desktop's file manager, selected in its folder:
/// org.freedesktop.FileManager1 over D-Bus, else the folder through the desktop's own opener. Does
/// not block. If there is neither, a message offers the path; both widgets outlive the call.
void showInFileManager(const std::filesystem::path& path, MessageStrip& messages,
                       StatusLine& status);

} // namespace cairn::ui
